// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The offset between a kernel queue's time and host time, from readings of both.
///
/// The reading of a queue is never ahead of its true time and often behind, because the kernel
/// counts from when it served the timer, not from when the timer expired. The reading of host time
/// is late if this thread was delayed. So a measured offset is too large or exact, and the smallest
/// one of the last two seconds is used. Older ones are dropped, because the two clocks drift by
/// some parts in a million; all are dropped if the queue was stopped.
struct QueueClock: Sendable {
  /// The duration of one minimum, in nanoseconds.
  static let span: Int64 = 250_000_000
  /// The number of minima.
  static let count = 8
  /// An offset this far above the smallest one means that the queue was stopped, in nanoseconds.
  static let jump: Int64 = 10_000_000

  /// The nanoseconds to add to queue time to get host time.
  private(set) var distance: Int64 = 0
  private var minima = ContiguousArray(repeating: Int64.max, count: QueueClock.count)
  private var current = 0
  private var begun: HostTime?

  /// Adds a reading: the time of the queue, and host time just before and just after it was read.
  ///
  /// Only the first host time shows that the queue was stopped: the second is late by any delay of
  /// this thread.
  mutating func look(queue: Int64, between before: HostTime, and after: HostTime) {
    let seen = after.nanoseconds &- queue
    makeRoom(at: after, hasStood: before.nanoseconds &- queue &- distance > Self.jump)
    minima[current] = min(minima[current], seen)
    distance = minima.min() ?? seen
  }

  /// Returns the queue time at an instant in nanoseconds, limited to the range of a queue (0…2³²
  /// s).
  func queueTime(at time: HostTime) -> Int64 {
    let (result, overflow) = time.nanoseconds.subtractingReportingOverflow(distance)
    let limit = Int64(UInt32.max) * 1_000_000_000
    if overflow { return time.nanoseconds < 0 ? 0 : limit }
    return min(max(result, 0), limit)
  }

  /// Returns the instant of a queue time.
  func hostTime(atQueue nanoseconds: Int64) -> HostTime {
    HostTime(nanoseconds: nanoseconds &+ distance)
  }

  /// Starts the next minimum if it is time; restarts all if the old ones are no longer valid.
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
