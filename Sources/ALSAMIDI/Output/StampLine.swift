// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The queue times of one client's events, in the order of their host times.
///
/// The offset between queue time and host time is measured while events wait in the queue, so a
/// later measurement could put a later event before one that is already stamped. This type prevents
/// that: an event is never stamped before the latest one, and events due before the latest keep
/// their distance to it.
struct StampLine: Sendable {
  /// Events due at least this long before the latest stamped event are stamped by the clock alone,
  /// in nanoseconds.
  ///
  /// No measurement changes the order of events so far apart, and over minutes the two clocks
  /// drift.
  static let span: Int64 = 1_000_000_000

  /// The host time of the latest stamped event.
  private(set) var last = HostTime.zero
  private var lastQueue: Int64 = 0
  /// True if all stamped events have left the queue.
  ///
  /// It does not follow from their times, because the kernel may serve its timer late.
  var isClear = true

  /// Stamps an event and returns its queue time in nanoseconds; zero if it is already due.
  ///
  /// The start of the queue is certainly past, so the kernel delivers such an event before the call
  /// returns, and it overtakes nothing.
  mutating func stamp(_ time: HostTime, at now: HostTime, by clock: QueueClock) -> Int64 {
    if isClear, time <= now { return 0 }
    isClear = false
    let queue = queueTime(at: time, by: clock)
    if time > last { (last, lastQueue) = (time, queue) }
    return queue
  }

  /// Returns the queue time that an event would get, in nanoseconds.
  func queueTime(at time: HostTime, by clock: QueueClock) -> Int64 {
    let queue = clock.queueTime(at: time)
    guard last > .zero, time > last.advanced(byNanoseconds: -Self.span) else { return queue }
    if time <= last { return max(lastQueue - last.nanoseconds(since: time), 0) }
    // A queue that was stopped is much further behind; it is not waited for.
    return lastQueue - queue < QueueClock.jump ? max(queue, lastQueue) : queue
  }

  /// Forgets the stamps at and after an instant.
  mutating func forget(from time: HostTime) {
    guard time < last else { return }
    lastQueue -= last.nanoseconds(since: time)
    last = time
  }
}
