// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What runs in `make test-long` only.
package enum LongTests {
  package static let areWanted = unsafe getenv("DOWNBEAT_LONG") != nil

  /// Lets other threads work for a millisecond.
  package static func rest() { usleep(1000) }
}
