// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The queue times of one client's events, in the order of their host times.
///
/// Where the queue lies on the host's clock is learnt while events wait in it, so a later look may
/// put a later event before one that is stamped already. Here an event never comes before the
/// latest stamped, and one that is due before that keeps its distance to it.
struct StampLine: Sendable {
  /// What is due this long before the latest stamped is stamped by the clock alone: no look moves
  /// an event past another that far, and over minutes the two clocks part.
  static let span: Int64 = 1_000_000_000

  /// The latest host time that was stamped.
  private(set) var last = HostTime.zero
  private var lastQueue: Int64 = 0
  /// Whether all that was stamped has left the queue.
  ///
  /// That its time is past says too little: the kernel may be late in serving its timer.
  var isClear = true

  /// The queue time of an event, in nanoseconds, which counts as stamped from here on; zero where
  /// it is due: the queue's beginning is past for certain, and the kernel delivers before the call
  /// returns, with nothing to overtake.
  mutating func stamp(_ time: HostTime, at now: HostTime, by clock: QueueClock) -> Int64 {
    if isClear, time <= now { return 0 }
    isClear = false
    let queue = queueTime(at: time, by: clock)
    if time > last { (last, lastQueue) = (time, queue) }
    return queue
  }

  /// The queue time that an event would be stamped with, in nanoseconds.
  func queueTime(at time: HostTime, by clock: QueueClock) -> Int64 {
    let queue = clock.queueTime(at: time)
    guard last > .zero, time > last.advanced(byNanoseconds: -Self.span) else { return queue }
    if time <= last { return max(lastQueue - last.nanoseconds(since: time), 0) }
    // A queue that stood still is behind by much more, and is not waited for.
    return lastQueue - queue < QueueClock.jump ? max(queue, lastQueue) : queue
  }

  /// Forgets what was stamped at an instant and after it.
  mutating func forget(from time: HostTime) {
    guard time < last else { return }
    lastQueue -= last.nanoseconds(since: time)
    last = time
  }
}
