// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A straight line from a follower's estimate: one count, when it is, how far apart they are.
struct TickLine: BitwiseCopyable, Sendable {
  var count: Int64
  /// The host time of `count` in nanoseconds: a near integer and a small rest.
  var anchor: Int64
  var offset: Double
  var period: Double

  /// Counts from a given one to an instant.
  func counts(from origin: Int64, to time: HostTime) -> Double {
    Double(count - origin) + (Double(time.nanoseconds - anchor) - offset) / period
  }
}

/// Turns an estimate that is corrected at every tick into a timeline without jumps.
///
/// What is published chases the estimate: a distance shrinks with a time constant of 40 ms, by at
/// most a quarter of the speed, so the position never runs backwards. It does so in straight
/// pieces of one count each, and what was handed out is never changed afterwards.
struct OutputStage<Count: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// The slope's denominator: a quarter note of a minute still fits, and a day drifts by 4 ns.
  static var denominator: Int64 { 1 << 20 }
  /// The time constant of the chase, in nanoseconds.
  static var chase: Double { 40e6 }
  /// How much faster or slower than the estimate what is published may run.
  static var mostDeviation: Double { 0.25 }

  /// A piece and where it begins.
  private struct Piece: BitwiseCopyable {
    var start: HostTime
    var timeline: Timeline<Count>
  }

  /// Counts by which the estimate may be ahead or behind before a jump is the lesser evil.
  let farthest: Double
  /// How many times the position went elsewhere.
  private(set) var epoch: UInt32 = 0
  private var line: TickLine?
  private var earlier: Timeline<Count>?
  private var current: Piece?
  /// What lies before was handed out; nil while nobody asks for windows.
  private var released: HostTime?

  init(farthest: Double) {
    self.farthest = farthest
  }

  /// Begins at an instant, on the line.
  mutating func start(along line: TickLine, at time: HostTime) {
    self.line = line
    earlier = nil
    released = nil
    current = piece(from: time, position: nil)
  }

  /// Ceases; nothing is published until the next start.
  mutating func stop() {
    line = nil
    earlier = nil
    current = nil
  }

  /// Takes a better line, known at an instant.
  ///
  /// - Returns: Whether the position jumped.
  mutating func follow(_ line: TickLine, at time: HostTime) -> Bool {
    guard let before = current else { return false }
    let start = max(released ?? time, before.start)
    advance(to: start)
    guard let old = current else { return false }
    self.line = line
    let origin = old.timeline.countOrigin
    let position = Self.counts(old.timeline, to: start)
    let isJump = abs(line.counts(from: origin, to: start) - position) > farthest
    if isJump { epoch &+= 1 }
    if old.start < start { earlier = old.timeline }
    current = piece(from: start, position: isJump ? nil : (origin, position))
    return isJump
  }

  /// Goes elsewhere at an instant.
  mutating func jump(to line: TickLine, at time: HostTime) {
    epoch &+= 1
    start(along: line, at: time)
  }

  /// Calls `body` with each piece of a window, in order, and takes what it covers as handed out.
  mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<Count>) throws -> Void
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
      guard let piece = current?.timeline else { return }
      let end = min(window.upperBound, piece.validUntil)
      try body(start..<end, piece)
      start = end
    }
    released = max(released ?? start, start)
  }

  /// The piece that holds at an instant, as far as is known now.
  func timeline(at time: HostTime) -> Timeline<Count>? {
    guard let current else { return nil }
    if time < current.start { return earlier ?? current.timeline }
    guard current.timeline.validUntil <= time else { return current.timeline }
    var later = self
    later.advance(to: time)
    return later.current?.timeline
  }

  /// Extends what is published until a piece reaches past an instant.
  private mutating func advance(to time: HostTime) {
    while let old = current, old.timeline.validUntil <= time {
      let start = old.timeline.validUntil
      let position = Self.counts(old.timeline, to: start)
      earlier = old.timeline
      current = piece(from: start, position: (old.timeline.countOrigin, position))
    }
  }

  /// Counts from a timeline's origin to an instant.
  private static func counts(_ timeline: Timeline<Count>, to time: HostTime) -> Double {
    let distance = Int128(time.nanoseconds) * Int128(denominator) - timeline.scaledHostOrigin
    return Double(Int64(clamping: distance)) / Double(timeline.numerator)
  }

  /// A piece of one count that begins at a position and bends towards the line.
  ///
  /// Where it is on the line it has no end. Without a position it begins on the line.
  private func piece(from start: HostTime, position: (origin: Int64, counts: Double)?) -> Piece? {
    guard let line else { return nil }
    let origin = position?.origin ?? line.count
    let target = line.counts(from: origin, to: start)
    let here = position?.counts ?? target
    let catchUp = (target - here) * line.period / (line.period + Self.chase)
    let slope = line.period / (1 + min(max(catchUp, -Self.mostDeviation), Self.mostDeviation))
    let next = here.rounded(.down) + 1
    // Rounded down, so that where two pieces meet the later one is never behind.
    let scale = Double(Self.denominator)
    let distance = Int64(((next - here) * slope * scale).rounded(.down))
    let isStraight = abs(target - here) < 1e-9
    let timeline = Timeline<Count>(
      countOrigin: origin + Int64(next),
      scaledHostOrigin: Int128(start.nanoseconds) * Int128(Self.denominator) + Int128(distance),
      numerator: max(1, Int64((slope * scale).rounded())), denominator: Self.denominator,
      validUntil: isStraight
        ? HostTime(nanoseconds: .max)
        : start.advanced(byNanoseconds: max(1, Int64(line.period))))
    return Piece(start: start, timeline: timeline)
  }
}
