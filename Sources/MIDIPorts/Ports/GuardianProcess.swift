// SPDX-License-Identifier: Apache-2.0
package import Realtime

/// The second process of a guardian, and the notes of up to 64 ports in memory shared with it.
///
/// - Note: Any thread may use it. Not real-time safe.
package struct GuardianProcess: Sendable {
  private let process: SentinelProcess

  /// Starts the process; it ends after this one, and after its work.
  ///
  /// - Parameter name: the name of the process, by which `serveIfAssigned` knows it.
  /// - Throws: `RealtimeError.cannotStartSentinel`.
  package init(name: String) throws(RealtimeError) {
    process = try SentinelProcess(
      name: name, byteCount: SharedNotes.byteCount * SharedNotes.portCount)
  }

  /// Waits until the process is ready, for at most a second.
  package func waitUntilReady() {
    _ = process.waitUntilReady(nanoseconds: 1_000_000_000)
  }

  /// The notes of a port, 0…63; nil for a port above.
  package func notes(ofPort port: UInt8) -> SharedNotes? {
    unsafe SharedNotes(process.memory, port: port)
  }

  /// Sends bytes to the process; does nothing if it has ended.
  package func send(_ bytes: [UInt8]) { process.tell(bytes) }

  /// Serves as a guardian and ends the process, if it was started as one; else returns at once.
  ///
  /// - Parameters:
  ///   - name: the name of the process.
  ///   - serve: waits for the end of the first process and releases its notes.
  package static func serveIfAssigned(_ name: String, _ serve: (SentinelDuty) throws -> Void) {
    guard let duty = SentinelDuty(name: name) else { return }
    do {
      try serve(duty)
    } catch {
      // The server has ended too: no note sounds, and no process is left to report to.
    }
    SentinelDuty.end()
  }
}
