// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A straight line from a follower's estimate: one count, when it is, how far apart they are.
struct TickLine: BitwiseCopyable, Sendable {
  var count: Int64
  /// The host time of `count` in nanoseconds: a near integer and a small rest.
  var anchor: Int64
  var offset: Double
  var period: Double
  /// Whether the tempo moves: what is published then stays close to the line.
  var isMoving = false
  /// Whether a new tempo was just proven.
  var isNewTempo = false
  /// The line to follow if the next count is overdue; nil if there is none.
  var slower: Slower?

  /// A slower line through the count, which is the likelier one from an instant on.
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

/// What chases a line that is corrected at every tick, without jumps and never backwards, in
/// straight pieces, each one period of the estimate long.
///
/// It counts nothing in particular: a generic one would be called through tables at every clock.
struct SlewedLine: BitwiseCopyable, Sendable {
  /// The slope's denominator: a quarter note of a minute still fits, and a day drifts by 4 ns.
  static let denominator: Int64 = 1 << 20
  /// The time constant of the chase, in nanoseconds.
  static let chase = 40e6
  /// How much faster or slower than the estimate what is published may run.
  static let mostDeviation = 0.25
  /// The same while the tempo moves.
  static let mostInMotion = 0.9
  /// How much slower than the estimate it may run then.
  static let mostBehindInMotion = 0.98
  /// The distance beyond which the position jumps while the tempo moves, in nanoseconds: 0.5 s.
  static let farthestInMotion = 0.5e9
  /// The same where a new tempo was just proven: 0.25 s.
  static let farthestAtNewTempo = 0.25e9
  /// A position that was held back is caught up within this many counts.
  static let caughtUp = 0.01

  /// A straight part.
  struct Piece: BitwiseCopyable {
    var start: HostTime
    /// Where it ends; the largest instant where it has no end.
    var end: HostTime
    /// A count, and when it is: so many 2⁻²⁰ ns after the start.
    var count: Int64
    var distance: Int64
    /// 2⁻²⁰ ns a count.
    var slope: Int64

    /// Counts from the one named to an instant.
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

  /// Counts by which the estimate may be ahead or behind before a jump is the lesser evil.
  let farthest: Double
  /// How many times the position went elsewhere.
  private(set) var epoch: UInt32 = 0
  private var line: TickLine?
  /// Whether the position followed a slower line, and has not caught up since.
  private var isHeldBack = false
  private var earlier: Piece?
  private(set) var current: Piece?
  /// What lies before was handed out; nil while nobody asks for windows.
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

  /// Ceases; nothing is published until the next start.
  mutating func stop() {
    line = nil
    earlier = nil
    current = nil
  }

  /// Takes a better line, known at an instant; true where the position jumped.
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
    // Half a second of a wrong position is worse than a jump if the new tempo is proven.
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

  /// Goes elsewhere at an instant.
  mutating func jump(to line: TickLine, at time: HostTime) {
    epoch &+= 1
    start(along: line, at: time)
  }

  /// Calls `body` with each piece of a window, in order, and takes what it covers as handed out.
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

  /// When the slower line will be the likelier; nil where there is none, or it is.
  func slowsDown(after time: HostTime) -> HostTime? {
    guard let slower = line?.slower, slower.start > time.nanoseconds else { return nil }
    return HostTime(nanoseconds: slower.start)
  }

  /// The last count on the line that is followed at an instant, and its period in nanoseconds; nil
  /// before the start.
  func lastCount(at time: HostTime) -> (count: Int64, period: Double)? {
    guard let line else { return nil }
    if let slower = line.slower, slower.start <= time.nanoseconds {
      return (slower.count, slower.period)
    }
    return (line.count, line.period)
  }

  /// The piece that holds at an instant, as far as is known now; before the first, that one.
  func piece(at time: HostTime) -> Piece? {
    guard let current else { return nil }
    if time < current.start { return earlier ?? current }
    guard current.end <= time else { return current }
    var later = self
    later.advance(to: time)
    return later.current
  }

  /// The piece with which a window from an instant on begins.
  func firstPiece(from time: HostTime) -> Piece? {
    guard let first = current?.start, time < first else { return piece(at: time) }
    return earlier
  }

  /// Extends what is published until a piece reaches past an instant.
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

  /// Whether the chase is over long before an instant: what lies in between is not gone through piece
  /// by piece, however far a message's time stamp is ahead.
  private static func isOver(from start: HostTime, to time: HostTime, along line: TickLine) -> Bool
  {
    let (gap, isBeyond) = time.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return isBeyond || Double(gap) > max(longestChase, piecesOfChase * line.period)
  }

  /// So long no chase lasts: 250 of its time constants, in nanoseconds, or so many counts.
  private static let longestChase = 10e9
  private static let piecesOfChase = 256.0

  /// A piece that begins on the line.
  private static func piece(on line: TickLine, from start: HostTime) -> Piece {
    let position = line.counts(from: line.count, to: start)
    return piece(towards: line, from: start, origin: line.count, position)
  }

  /// A piece of one count that begins at a position and bends towards the line.
  ///
  /// Where it is on the line it has no end.
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
    // Rounded down, so that where two pieces meet the later one is never behind: it is not negative.
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
