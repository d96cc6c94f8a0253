// SPDX-License-Identifier: Apache-2.0
package import JACKAudio
internal import Realtime
internal import Synchronization

/// The one client of the sound server in this process.
///
/// Sound, ports and transport share it, so that they use the same cycles and frames.
package enum SharedJACKClient {
  /// The time to wait for a lost server, in seconds.
  package static let patience = 30

  private static let shared = Mutex(Shared())
  private static let leavesAtEnd: Void = ExitHooks.add { leave() }

  private struct Shared {
    weak var client: JACKClient?
  }

  /// Returns the client, and opens it if necessary.
  ///
  /// - Parameter server: The server; nil, the default, for the one that runs, JACK before PipeWire.
  /// - Returns: The client.
  /// - Throws: `JACKError` if the server cannot be reached.
  package static func client(of server: JACKServer? = nil) throws(JACKError) -> JACKClient {
    let known = shared.withLock { $0.client }
    if let known, known.failure == nil, server == nil || server == known.server { return known }
    let client = try JACKClient(server: server, patience: patience)
    _ = leavesAtEnd
    shared.withLock { $0.client = client }
    return client
  }

  /// The longest wait for a server that hangs, in nanoseconds.
  private static let longestLeave: Int64 = 1_000_000_000

  private final class Leave: Sendable {
    let isDone = Atomic(false)
  }

  /// Closes the client before the process ends.
  ///
  /// A server that waits for its clients would stop if one disappeared.
  package static func leave() {
    guard let client = shared.withLock({ $0.client }) else { return }
    let leave = Leave()
    do throws(RealtimeError) {
      _ = try RealtimeThread(name: "leave", priority: nil) {
        client.close()
        leave.isDone.store(true, ordering: .releasing)
      }
    } catch {
      // Without a thread the client disappears when the process ends.
      return
    }
    let deadline = DeadlineWait.now + longestLeave
    while !leave.isDone.load(ordering: .acquiring), DeadlineWait.now < deadline {
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
  }
}
