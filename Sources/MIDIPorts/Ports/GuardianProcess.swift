// SPDX-License-Identifier: Apache-2.0
package import Realtime

/// The second process of a guardian, with the sounding notes of up to 64 ports in shared memory.
///
/// - Note: Can be used from any thread. Not real-time safe.
package struct GuardianProcess: Sendable {
  private let process: SentinelProcess

  /// Starts the process.
  ///
  /// It does its work after this process has ended, and then ends too.
  ///
  /// - Parameter name: The name of the process, by which `serveIfAssigned` recognises it.
  /// - Throws: `RealtimeError.cannotStartSentinel`.
  package init(name: String) throws(RealtimeError) {
    process = try SentinelProcess(
      name: name, byteCount: SharedNotes.byteCount * SharedNotes.portCount)
  }

  /// Waits until the process is ready, for at most one second.
  package func waitUntilReady() {
    _ = process.waitUntilReady(nanoseconds: 1_000_000_000)
  }

  /// The sounding notes of a port, 0…63; nil for other ports.
  package func notes(ofPort port: UInt8) -> SharedNotes? {
    unsafe SharedNotes(process.memory, port: port)
  }

  /// Sends bytes to the process.
  ///
  /// Does nothing if it has ended.
  package func send(_ bytes: [UInt8]) { process.tell(bytes) }

  /// Runs as the guardian process and then exits, if the program was started as one.
  ///
  /// Otherwise returns immediately.
  ///
  /// - Parameters:
  ///   - name: The name of the process.
  ///   - serve: Waits until the first process ends, and releases its notes.
  package static func serveIfAssigned(_ name: String, _ serve: (SentinelDuty) throws -> Void) {
    guard let duty = SentinelDuty(name: name) else { return }
    do {
      try serve(duty)
    } catch {
      // The server has ended too, so nothing sounds, and errors cannot be reported to a process.
    }
    SentinelDuty.end()
  }
}
