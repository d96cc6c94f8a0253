// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Where a kernel queue's time lies on the host's clock, learnt from looking at both.
///
/// A queue's reading is never ahead of its true time and often behind it: the kernel counts on
/// from when it served the timer, not from when the timer expired. The host's clock, read after
/// it, is late by as much as this thread was held up. So a distance is seen too great or right, and
/// of those of the last two seconds the least is the truest. It is forgotten by and by, since the
/// two clocks part by some parts in a million; and at once where the queue stood still.
struct QueueClock: Sendable {
  /// How long one minimum collects looks, in nanoseconds.
  static let span: Int64 = 250_000_000
  /// How many minima are kept.
  static let count = 8
  /// A distance this much above the least means that the queue stood still, in nanoseconds.
  static let jump: Int64 = 10_000_000

  /// What to add to queue time to get host time, in nanoseconds.
  private(set) var distance: Int64 = 0
  private var minima = ContiguousArray(repeating: Int64.max, count: QueueClock.count)
  private var current = 0
  private var begun: HostTime?

  /// Takes a look: the queue's time, and the host's just before and just after it was read.
  ///
  /// Only what the queue is behind by the first shows that it stood still: the second is as late as
  /// this thread was held up.
  mutating func look(queue: Int64, between before: HostTime, and after: HostTime) {
    let seen = after.nanoseconds &- queue
    makeRoom(at: after, hasStood: before.nanoseconds &- queue &- distance > Self.jump)
    minima[current] = min(minima[current], seen)
    distance = minima.min() ?? seen
  }

  /// The queue's time at an instant, in nanoseconds, held to what a queue can say (0…2³² s).
  func queueTime(at time: HostTime) -> Int64 {
    let (result, overflow) = time.nanoseconds.subtractingReportingOverflow(distance)
    let limit = Int64(UInt32.max) * 1_000_000_000
    if overflow { return time.nanoseconds < 0 ? 0 : limit }
    return min(max(result, 0), limit)
  }

  /// The instant of a queue's time.
  func hostTime(atQueue nanoseconds: Int64) -> HostTime {
    HostTime(nanoseconds: nanoseconds &+ distance)
  }

  /// Begins the next minimum where it is time; all of them where the old ones say nothing.
  private mutating func makeRoom(at time: HostTime, hasStood: Bool) {
    let age = begun.map { time.nanoseconds(since: $0) } ?? .max
    if age >= Self.span * Int64(Self.count) || hasStood {
      for index in minima.indices { minima[index] = .max }
      begun = time
    } else if age >= Self.span {
      current = (current + 1) % Self.count
      minima[current] = .max
      begun = time
    }
  }
}
