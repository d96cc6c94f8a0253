// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension DeadlineWait {
  /// Sleeps until an instant, or returns at once if it has passed.
  ///
  /// - Parameter deadline: Nanoseconds of `CLOCK_MONOTONIC`.
  public static func sleep(until deadline: Int64) {
    guard deadline > 0 else { return }
    var time = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
