// SPDX-License-Identifier: Apache-2.0
package import JACKAudio
internal import Realtime
internal import Synchronization

/// The one client of a sound server that this process has: sound, ports and the transport share its
/// turns, and so its frames.
package enum SharedJACKClient {
  /// How many seconds a server that goes away is waited for.
  package static let patience = 30

  private static let shared = Mutex(Shared())
  private static let leavesAtEnd: Void = ExitHooks.add { leave() }

  private struct Shared {
    weak var client: JACKClient?
  }

  /// The client, opened where there is none.
  ///
  /// - Parameter server: which is meant; nil for the one that runs, JACK before PipeWire.
  /// - Returns: the client.
  /// - Throws: `JACKError`.
  package static func client(of server: JACKServer? = nil) throws(JACKError) -> JACKClient {
    let known = shared.withLock { $0.client }
    if let known, known.failure == nil, server == nil || server == known.server { return known }
    let client = try JACKClient(server: server, patience: patience)
    _ = leavesAtEnd
    shared.withLock { $0.client = client }
    return client
  }

  /// A server that hangs is waited for so long, in nanoseconds.
  private static let longestLeave: Int64 = 1_000_000_000

  private final class Leave: Sendable {
    let isDone = Atomic(false)
  }

  /// Leaves the server, where the process ends before the client is let go of.
  ///
  /// A server that waits for its clients stands still where one is gone without a word.
  package static func leave() {
    guard let client = shared.withLock({ $0.client }) else { return }
    let leave = Leave()
    do throws(RealtimeError) {
      _ = try RealtimeThread(name: "leave", priority: nil) {
        client.close()
        leave.isDone.store(true, ordering: .releasing)
      }
    } catch {
      // Without a thread it is gone without a word.
      return
    }
    let deadline = DeadlineWait.now + longestLeave
    while !leave.isDone.load(ordering: .acquiring), DeadlineWait.now < deadline {
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
  }
}
