// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The last eight quarter-frame pieces, and the position in them.
///
/// A cycle of eight pieces contains the time code of the moment of its piece 0, in both directions.
/// Eight consecutive pieces that begin anywhere belong to two time codes, two frames apart: the
/// lower pieces to the later one, and the upper pieces to the earlier one, also in both directions.
///
/// Source: MIDI Time Code (RP-004/RP-008), quarter-frame messages.
struct QuarterFrameCycle: BitwiseCopyable, Sendable {
  private var nibbles = InlineArray<8, UInt8>(repeating: 0)
  /// The last piece.
  private(set) var last = 0
  /// The number of consecutive pieces, each a neighbour of the previous one.
  private(set) var run = 0
  /// The two possible frames at the last piece, if drop-frame labels are ambiguous.
  private var doubtful: (Int64, Int64)?

  /// Adds a piece: the neighbour of the last one, or the first of a new run.
  mutating func take(_ data: UInt8, isNeighbour: Bool) {
    if !isNeighbour { doubtful = nil }
    last = Int(data >> 4) & 7
    nibbles[last] = data & 0x0F
    run = isNeighbour ? min(run + 1, 1000) : 1
  }

  /// Begins a new run with the last piece.
  mutating func beginRun() {
    run = 1
    doubtful = nil
  }

  mutating func removeAll() {
    beginRun()
    run = 0
  }

  /// Returns true if the last piece is consistent with a position.
  func spells(_ position: QuarterFrameCount) -> Bool {
    let rate = FrameRate(mtcCode: position.code)
    guard Int(position.count & 7) == last else { return false }
    return matches((position.count - Int64(last)) / 4, last..<(last + 1), rate)
      && (last < 7 || nibbles[7] >> 1 & 3 == position.code.rawValue)
  }

  /// The position of the last piece, if eight consecutive pieces have exactly one.
  ///
  /// - Parameter isReverse: True if the pieces arrived in descending order.
  /// - Returns: The position, or nil if the pieces are inconsistent or ambiguous.
  mutating func position(isReverse: Bool) -> QuarterFrameCount? {
    guard run >= 8, let code = MTCCode(rawValue: nibbles[7] >> 1 & 3) else { return nil }
    let split = isReverse ? (last == 0 ? 8 : last) : last + 1
    let rate = FrameRate(mtcCode: code)
    guard let frame = laterFrame(split, rate) else { return nil }
    // In reverse the last piece belongs to the earlier code, except for piece 0, which ends a
    // cycle.
    let own = isReverse && last > 0 ? frame - 2 : frame
    let count = (4 * own + Int64(last)).wrapped(to: 4 * rate.framesPerDay)
    return QuarterFrameCount(count: count, code: code)
  }

  /// The frame of the time code to which the pieces below `split` belong; the others belong to the
  /// code two frames before it.
  ///
  /// If a field carried between the two, the earlier code is one of the last two frames with the
  /// same upper pieces. Only drop-frame counting can be ambiguous, because ;02 of a minute with
  /// skipped labels is two frames after the minute before. The following pieces decide.
  private mutating func laterFrame(_ split: Int, _ rate: FrameRate) -> Int64? {
    let before = doubtful
    doubtful = nil
    let whole = rate.frameOfExisting(label)
    guard split < 8 else { return whole }
    let together = whole.flatMap { matches($0 - 2, split..<8, rate) ? $0 : nil }
    let last = rate.frameOfExisting(highestLabel(split, rate))
    let carried = last.flatMap { last in
      matches(last + 1, 0..<split, rate)
        ? last + 1 : matches(last + 2, 0..<split, rate) ? last + 2 : nil
    }
    guard let together, let carried else { return together ?? carried }
    if let before {
      let isTogether = before.0 == together || before.1 == together
      let isCarried = before.0 == carried || before.1 == carried
      guard isTogether == isCarried else { return isTogether ? together : carried }
    }
    doubtful = (together, carried)
    return nil
  }

  /// The label in the eight pieces.
  private var label: TimecodeLabel {
    func field(_ piece: Int, _ bits: UInt8) -> UInt8 {
      nibbles[piece] | (nibbles[piece + 1] & bits) << 4
    }
    return TimecodeLabel(
      hours: field(6, 1), minutes: field(4, 3), seconds: field(2, 3), frames: field(0, 1))
  }

  /// The last label with the pieces from `split` on.
  private func highestLabel(_ split: Int, _ rate: FrameRate) -> TimecodeLabel {
    var label = label
    func highest(_ value: UInt8, _ piece: Int, _ most: UInt8) -> UInt8 {
      split <= piece ? value : split == piece + 1 ? min(value | 0x0F, most) : most
    }
    label.frames = highest(label.frames, 0, rate.nominal - 1)
    label.seconds = highest(label.seconds, 2, 59)
    label.minutes = highest(label.minutes, 4, 59)
    label.hours = highest(label.hours, 6, 23)
    return label
  }

  private func matches(_ frame: Int64, _ pieces: Range<Int>, _ rate: FrameRate) -> Bool {
    let other = rate.label(ofFrameInDay: frame.wrapped(to: rate.framesPerDay))
    let own = label
    func nibble(_ label: TimecodeLabel, _ piece: Int) -> UInt8 {
      let field =
        switch piece >> 1 {
        case 0: label.frames
        case 1: label.seconds
        case 2: label.minutes
        default: label.hours
        }
      return piece & 1 == 0 ? field & 0x0F : field >> 4
    }
    var piece = pieces.lowerBound
    while piece < pieces.upperBound, nibble(own, piece) == nibble(other, piece) { piece += 1 }
    return piece >= pieces.upperBound
  }
}
