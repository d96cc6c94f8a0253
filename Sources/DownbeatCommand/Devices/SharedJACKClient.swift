// SPDX-License-Identifier: Apache-2.0
internal import JACKAudio
internal import Synchronization

/// The one client of a sound server that this process has: sound, ports and the transport share its
/// turns, and so its frames.
enum SharedJACKClient {
  /// How many seconds a server that goes away is waited for.
  static let patience = 30

  private static let shared = Mutex(Shared())

  private struct Shared {
    weak var client: JACKClient?
  }

  /// The client, opened where there is none.
  ///
  /// - Parameter server: which is meant; nil for the one that runs, JACK before PipeWire.
  /// - Returns: the client.
  /// - Throws: `JACKError`.
  static func client(of server: JACKServer? = nil) throws(JACKError) -> JACKClient {
    let known = shared.withLock { $0.client }
    if let known, known.failure == nil, server == nil || server == known.server { return known }
    let client = try JACKClient(server: server, patience: patience)
    shared.withLock { $0.client = client }
    return client
  }
}
