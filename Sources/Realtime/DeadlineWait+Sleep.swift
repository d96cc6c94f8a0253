// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension DeadlineWait {
  /// Sleeps until an instant; one that is past returns at once.
  ///
  /// - Parameter deadline: nanoseconds of `CLOCK_MONOTONIC`.
  public static func sleep(until deadline: Int64) {
    guard deadline > 0 else { return }
    var time = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
