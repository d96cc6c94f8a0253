// SPDX-License-Identifier: Apache-2.0

/// The amount of sound that must be available before an item starts, and before it continues after
/// a gap.
///
/// The reserve grows with each gap, at least by a factor of two, and by more if the measured speed
/// of the connection requires it. The speed is the sound that arrived per second since the item
/// started, or since the player last had as much sound in advance as requested. A reserve is a
/// value; times are passed to it.
struct StreamReserve: Hashable, Sendable {
  /// The maximum reserve in seconds.
  static let limit = 16.0
  /// The minimum reserve after a gap in seconds.
  private static let least = 0.5
  /// The maximum factor by which the first gap of an item increases the reserve.
  private static let firstFactor = 4.0
  /// The time for which a reserve should last on a slow connection, in seconds.
  private static let horizon = 60.0
  /// The first reserve for sound that arrives in real time, in seconds: two packets of AAC or MP3.
  private static let realTime = 0.04
  /// The first reserve for sound that arrives in pieces, in pieces.
  private static let pieceFactor = 1.5

  /// The current reserve in seconds.
  private(set) var seconds: Double
  /// The number of gaps of the item.
  private(set) var gapCount = 0
  private let first: Double
  /// The time since which the speed of the connection is measured.
  private var start: Duration?
  /// The sound received since then, in seconds.
  private var arrived = 0.0
  /// True if the connection was interrupted since then.
  private var isInterrupted = false

  /// Creates a reserve.
  ///
  /// - Parameter seconds: The reserve at the start of an item, clamped to 0…60 s.
  init(seconds: Double) {
    first = min(60, max(0, seconds))
    self.seconds = first
  }

  /// Starts another item.
  mutating func reset() { self = StreamReserve(seconds: first) }

  /// Notes that the item arrives in real time, so that a short reserve is sufficient to start.
  ///
  /// - Parameter piece: The duration of a piece in seconds. The next piece must arrive before the
  ///   start if it could be late otherwise.
  mutating func noteRealTime(piece: Double = 0) {
    if gapCount == 0 { seconds = min(first, max(Self.realTime, Self.pieceFactor * piece)) }
  }

  /// Adds sound that arrived.
  mutating func add(_ seconds: Double, at now: Duration) {
    if start == nil { start = now }
    arrived += seconds
  }

  /// Notes that as much sound is in advance as requested, so the connection is fast enough.
  mutating func noteFull(at now: Duration) {
    (start, arrived, isInterrupted) = (now, 0, false)
  }

  /// Notes that the connection was lost.
  mutating func noteInterruption() { isInterrupted = true }

  /// Notes a gap.
  mutating func noteGap(at now: Duration) {
    let elapsed = start.map { (now - $0) / .seconds(1) } ?? 0
    let speed = elapsed > 0 && !isInterrupted ? arrived / elapsed : 1
    let base = max(seconds, Self.least)
    var wanted = max(2 * seconds, base, Self.horizon * (1 - speed))
    if gapCount == 0 { wanted = min(wanted, Self.firstFactor * base) }
    seconds = min(wanted, max(Self.limit, first))
    gapCount += 1
    isInterrupted = false
  }
}
