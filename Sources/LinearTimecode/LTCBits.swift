// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The 80 bits of a frame of linear timecode, in the order in which they are sent.
///
/// Numbers are sent with their lowest bit first, so that bit `n` of the standard is bit `n` of
/// `content`, and bit `64 + n` is bit `n` of the sync word.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCBits: Hashable, BitwiseCopyable, Sendable {
  /// Bits 0…63: the label, the user's bits and the flags.
  public let content: UInt64

  /// Bits 64…79 of every frame: `0011 1111 1111 1101` as they are sent.
  public static let syncWord: UInt16 = 0xBFFC

  /// The sync word as it is met backwards: `1011 1111 1111 1100`.
  static let reversedSyncWord: UInt16 = 0x3FFD

  /// Creates the bits from the first 64 of them.
  ///
  /// - Parameter content: Bits 0…63; any value.
  public init(content: UInt64) {
    self.content = content
  }

  /// Creates the bits of a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame; a number past its field loses its high bits.
  ///   - countsTo25: Whether 25 frames are counted in a second: three flags are elsewhere then.
  public init(_ frame: LTCFrame, countsTo25: Bool) {
    let flags = FlagPlaces(countsTo25: countsTo25)
    var bits: UInt64 = 0
    for (field, place) in zip([frame.frames, frame.seconds, frame.minutes, frame.hours], 0...) {
      bits |= UInt64(field % 10) << (16 * place)
      bits |= UInt64(field / 10) << (16 * place + 8) & Self.tensMask(place)
    }
    for group in 0..<8 {
      bits |= UInt64(frame.userBits >> (4 * group) & 15) << (8 * group + 4)
    }
    if frame.isDrop { bits |= 1 << 10 }
    if frame.isColorLocked { bits |= 1 << 11 }
    for (place, bit) in zip(flags.groups, 0...) where frame.binaryGroupFlags >> bit & 1 == 1 {
      bits |= 1 << place
    }
    // The sync word has thirteen ones.
    if bits.nonzeroBitCount.isMultiple(of: 2) { bits |= 1 << flags.polarity }
    content = bits
  }

  /// The frame that the bits say, or nil where a field is no number or past its range.
  ///
  /// - Parameter countsTo25: Whether 25 frames are counted in a second: three flags are elsewhere
  ///   then.
  /// - Returns: The frame; its frames field is 0…29 at every rate.
  public func frame(countsTo25: Bool) -> LTCFrame? {
    guard let frames = number(0, below: 30), let seconds = number(1, below: 60),
      let minutes = number(2, below: 60), let hours = number(3, below: 24)
    else { return nil }
    var frame = LTCFrame(
      label: TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames),
      isDrop: self[10], userBits: userBits)
    frame.isColorLocked = self[11]
    for (place, bit) in zip(FlagPlaces(countsTo25: countsTo25).groups, 0...) where self[place] {
      frame.binaryGroupFlags |= 1 << bit
    }
    return frame
  }

  /// Whether the number of ones is even, as the polarity bit makes it in a frame that is whole.
  ///
  /// Some generators leave that bit alone.
  public var hasEvenParity: Bool { !content.nonzeroBitCount.isMultiple(of: 2) }

  /// The ten bytes of the frame, the bits of each from the lowest: `04 00 03 … FC BF`.
  public var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: content >> (8 * $0)) }
      + [UInt8(truncatingIfNeeded: Self.syncWord), UInt8(Self.syncWord >> 8)]
  }

  /// A bit of the 80.
  ///
  /// - Parameter place: Its place, 0…79.
  subscript(place: Int) -> Bool {
    place < 64 ? content >> place & 1 == 1 : Self.syncWord >> (place - 64) & 1 == 1
  }

  private var userBits: UInt32 {
    (0..<8).reduce(0) { $0 | UInt32(truncatingIfNeeded: content >> (8 * $1 + 4) & 15) << (4 * $1) }
  }

  /// A two-digit number: frames, seconds, minutes or hours.
  private func number(_ place: Int, below end: UInt8) -> UInt8? {
    let units = UInt8(truncatingIfNeeded: content >> (16 * place) & 15)
    let tens = UInt8(truncatingIfNeeded: (content & Self.tensMask(place)) >> (16 * place + 8))
    let value = 10 * tens + units
    return units < 10 && value < end ? value : nil
  }

  /// Tens of frames and hours have two bits, of seconds and minutes three.
  private static func tensMask(_ place: Int) -> UInt64 {
    (place == 1 || place == 2 ? 7 : 3) << (16 * place + 8)
  }
}

/// Where the flags are that move with the rate.
private struct FlagPlaces {
  /// The bit that makes the number of ones even.
  let polarity: Int
  /// The flags 0, 1 and 2 of the user's bits.
  let groups: [Int]

  init(countsTo25: Bool) {
    polarity = countsTo25 ? 59 : 27
    groups = countsTo25 ? [27, 58, 43] : [43, 58, 59]
  }
}
