// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What runs in `make test-long` only.
enum LongTests {
  static let areWanted = unsafe getenv("DOWNBEAT_LONG") != nil

  /// Lets other threads work for a millisecond.
  static func rest() { usleep(1000) }
}
