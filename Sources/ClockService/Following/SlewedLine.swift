// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A straight line from a follower's estimate: a count, its time, and the distance between counts.
struct TickLine: BitwiseCopyable, Sendable {
  var count: Int64
  /// The host time of `count` in nanoseconds: an integer nearby and a small rest.
  var anchor: Int64
  var offset: Double
  var period: Double
  /// True if the tempo varies, so that the published position stays close to the line.
  var isMoving = false
  /// True if a new tempo was just proven.
  var isNewTempo = false
  /// The line to follow if the next count is overdue; nil if the tempo is not assumed to fall.
  var slower: Slower?

  /// A slower line through the count, which is more likely from an instant on.
  struct Slower: BitwiseCopyable, Sendable {
    /// The time from which it is followed, in nanoseconds of host time.
    var start: Int64
    var count: Int64
    var anchor: Int64
    var period: Double

    var line: TickLine {
      TickLine(count: count, anchor: anchor, offset: 0, period: period, isMoving: true)
    }
  }

  /// Counts from a given one to an instant.
  @inline(__always)
  func counts(from origin: Int64, to time: HostTime) -> Double {
    Double(count - origin) + (Double(time.nanoseconds - anchor) - offset) / period
  }
}

/// A line that approaches another one, which is corrected at every tick, without jumps and never
/// backwards.
///
/// Its segments are one period of the estimate long.
///
/// It is not generic over the type of count: a generic type would use indirect calls for every
/// clock.
struct SlewedLine: BitwiseCopyable, Sendable {
  /// The denominator of the slope: a quarter note of a minute still fits, and a day drifts by 4 ns.
  static let denominator: Int64 = 1 << 20
  /// The time constant of the approach, in nanoseconds.
  static let chase = 40e6
  /// The largest difference of the published speed from the estimate, as a fraction.
  static let mostDeviation = 0.25
  /// The same while the tempo varies.
  static let mostInMotion = 0.9
  /// The largest reduction of speed while the tempo varies.
  static let mostBehindInMotion = 0.98
  /// The distance at which the position jumps while the tempo varies, in nanoseconds: 0.5 s.
  static let farthestInMotion = 0.5e9
  /// The same if a new tempo was just proven: 0.25 s.
  static let farthestAtNewTempo = 0.25e9
  /// A position that was held back has caught up within this many counts.
  static let caughtUp = 0.01

  /// A straight segment.
  struct Piece: BitwiseCopyable {
    var start: HostTime
    /// The end of the segment; the largest instant if it does not end.
    var end: HostTime
    /// A count, and its distance from the start in 2⁻²⁰ ns.
    var count: Int64
    var distance: Int64
    /// The length of a count in 2⁻²⁰ ns.
    var slope: Int64

    /// Counts from `count` to an instant.
    @inline(__always)
    func counts(to time: HostTime) -> Double {
      let elapsed = Double(time.nanoseconds(since: start)) * 0x1p20
      return (elapsed - Double(distance)) / Double(slope)
    }

    func timeline<Count>() -> Timeline<Count, HostTime> {
      let origin = Int128(start.nanoseconds) * Int128(denominator) + Int128(distance)
      return Timeline(
        countOrigin: count, scaledOrigin: origin, numerator: slope, denominator: denominator,
        validUntil: end)
    }
  }

  /// The distance of the estimate in counts at which the position jumps.
  let farthest: Double
  /// The number of jumps of the position.
  private(set) var epoch: UInt32 = 0
  private var line: TickLine?
  /// True if the position followed a slower line, and has not caught up since.
  private var isHeldBack = false
  private var earlier: Piece?
  private(set) var current: Piece?
  /// The end of the windows that were read, before which segments do not change; nil before the
  /// first.
  private var released: HostTime?

  init(farthest: Double) {
    self.farthest = farthest
  }

  /// Begins at an instant, on the line.
  mutating func start(along line: TickLine, at time: HostTime) {
    self.line = line
    isHeldBack = false
    earlier = nil
    released = nil
    current = Self.piece(on: line, from: time)
  }

  /// Stops; until the next start, segments are not available.
  mutating func stop() {
    line = nil
    earlier = nil
    current = nil
  }

  /// Follows a corrected line, from an instant; returns true if the position jumped.
  mutating func follow(_ line: TickLine, at time: HostTime) -> Bool {
    guard let before = current else { return false }
    let start = max(released ?? time, before.start)
    advance(to: start)
    guard let old = current else { return false }
    var line = line
    let position = old.counts(to: start)
    if let slower = line.slower, slower.start <= start.nanoseconds {
      (line, isHeldBack) = (slower.line, true)
    }
    let distance = abs(line.counts(from: old.count, to: start) - position)
    isHeldBack = isHeldBack && distance > Self.caughtUp
    line.isMoving = line.isMoving || isHeldBack
    self.line = line
    // If the new tempo is proven, half a second at a wrong position is worse than a jump.
    let most = line.isNewTempo ? Self.farthestAtNewTempo : Self.farthestInMotion
    let isFar = line.isMoving && distance * line.period > most
    let isJump = distance > farthest || isFar
    if isJump { epoch &+= 1 }
    if old.start < start { earlier = old }
    current =
      isJump
      ? Self.piece(on: line, from: start)
      : Self.piece(towards: line, from: start, origin: old.count, position)
    return isJump
  }

  /// Jumps to a line at an instant.
  mutating func jump(to line: TickLine, at time: HostTime) {
    epoch &+= 1
    start(along: line, at: time)
  }

  /// Calls `body` for each segment of a window, in order; the window is not changed afterwards.
  mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Piece) throws -> Void
  ) rethrows {
    guard let first = current?.start else { return }
    var start = window.lowerBound
    if start < first {
      let end = min(first, window.upperBound)
      if let earlier { try body(start..<end, earlier) }
      start = end
    }
    while start < window.upperBound {
      advance(to: start)
      guard let piece = current else { return }
      let end = min(window.upperBound, piece.end)
      try body(start..<end, piece)
      start = end
    }
    released = max(released ?? start, start)
  }

  /// The time at which the slower line becomes more likely; nil without one, or if it already is.
  func slowsDown(after time: HostTime) -> HostTime? {
    guard let slower = line?.slower, slower.start > time.nanoseconds else { return nil }
    return HostTime(nanoseconds: slower.start)
  }

  /// The last count of the followed line at an instant, and its period in nanoseconds; nil before
  /// the start.
  func lastCount(at time: HostTime) -> (count: Int64, period: Double)? {
    guard let line else { return nil }
    if let slower = line.slower, slower.start <= time.nanoseconds {
      return (slower.count, slower.period)
    }
    return (line.count, line.period)
  }

  /// The segment at an instant, as far as is known now; before the first segment, that one.
  func piece(at time: HostTime) -> Piece? {
    guard let current else { return nil }
    if time < current.start { return earlier ?? current }
    guard current.end <= time else { return current }
    var later = self
    later.advance(to: time)
    return later.current
  }

  /// The first segment of a window that begins at an instant.
  func firstPiece(from time: HostTime) -> Piece? {
    guard let first = current?.start, time < first else { return piece(at: time) }
    return earlier
  }

  /// Adds segments until the last one reaches past an instant.
  private mutating func advance(to time: HostTime) {
    while let old = current, old.end <= time, old.end.nanoseconds < .max {
      if let slower = line?.slower, slower.start <= old.end.nanoseconds {
        (line, isHeldBack) = (slower.line, true)
      }
      guard let line else { return }
      let position = old.counts(to: old.end)
      earlier = old
      current =
        Self.isOver(from: old.end, to: time, along: line)
        ? Self.piece(on: line, from: old.end)
        : Self.piece(towards: line, from: old.end, origin: old.count, position)
    }
  }

  /// True if the approach ends long before an instant.
  ///
  /// The segments in between are then skipped, however far ahead the time stamp of a message is.
  private static func isOver(from start: HostTime, to time: HostTime, along line: TickLine) -> Bool
  {
    let (gap, isBeyond) = time.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return isBeyond || Double(gap) > max(longestChase, piecesOfChase * line.period)
  }

  /// The longest approach: 250 time constants in nanoseconds, or a number of counts.
  private static let longestChase = 10e9
  private static let piecesOfChase = 256.0

  /// A segment that begins on the line.
  private static func piece(on line: TickLine, from start: HostTime) -> Piece {
    let position = line.counts(from: line.count, to: start)
    return piece(towards: line, from: start, origin: line.count, position)
  }

  /// A segment of one count that begins at a position and approaches the line.
  ///
  /// If it is on the line, it does not end.
  private static func piece(
    towards line: TickLine, from start: HostTime, origin: Int64, _ here: Double
  ) -> Piece {
    let target = line.counts(from: origin, to: start)
    let chase = line.isMoving ? 0 : chase
    let (least, most) =
      line.isMoving ? (mostBehindInMotion, mostInMotion) : (mostDeviation, mostDeviation)
    let catchUp = (target - here) * line.period / (line.period + chase)
    let slope = line.period / (1 + min(max(catchUp, -least), most))
    // Rounded down.
    var next = Int64(here)
    if Double(next) > here { next -= 1 }
    next += 1
    // Rounded down, so that at the boundary of two segments the later one is not behind; never
    // negative.
    let distance = Int64((Double(next) - here) * slope * 0x1p20)
    let isStraight = abs(target - here) < 1e-9
    let end =
      isStraight
      ? HostTime(nanoseconds: .max) : start.advanced(saturating: max(1, Int64(line.period)))
    let latest = HostTime(nanoseconds: line.slower?.start ?? .max)
    return Piece(
      start: start, end: max(min(end, latest), start.advanced(saturating: 1)),
      count: origin + next, distance: distance,
      slope: max(1, Int64(slope * 0x1p20 + 0.5)))
  }
}
