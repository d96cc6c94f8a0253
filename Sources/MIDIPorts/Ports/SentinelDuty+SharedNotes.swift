// SPDX-License-Identifier: Apache-2.0
package import Realtime

extension SentinelDuty {
  /// The notes that a port of the first process has left sounding; nil for a port above 63.
  package func notes(ofPort port: UInt8) -> SharedNotes? {
    unsafe SharedNotes(memory, port: port)
  }
}
