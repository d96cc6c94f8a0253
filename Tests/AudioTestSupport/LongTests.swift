// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Tests that run only in `make test-long`.
package enum LongTests {
  package static let areWanted = unsafe getenv("DOWNBEAT_LONG") != nil

  /// Lets other threads run for a millisecond.
  package static func rest() { usleep(1000) }
}
