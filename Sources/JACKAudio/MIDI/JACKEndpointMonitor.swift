// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Realtime
internal import Synchronization

/// Tells of the MIDI ports of a server that come and go.
final class JACKEndpointMonitor: EndpointMonitor {
  let descriptor: Int32
  private let ports: JACKPorts
  private let client: JACKClient
  private let news: DeadlineWait
  private let state: Mutex<State>
  private let watching: JACKClient.Watching

  private struct State {
    /// As it was told.
    var list: EndpointList
    /// As it was seen last.
    var seen: EndpointList
    var changes: [EndpointChange] = []
  }

  init(_ ports: JACKPorts, on client: JACKClient) throws {
    let news = try DeadlineWait()
    let box = Box()
    (self.ports, self.client, self.news) = (ports, client, news)
    descriptor = news.descriptor
    watching = client.watchPorts { box.monitor?.look(wakes: $0) }
    let list = ports.list(of: client)
    state = Mutex(State(list: list, seen: list))
    box.set(self)
    // What came since it was listed.
    look()
  }

  deinit { client.endWatching(watching) }

  var endpoints: EndpointList { state.withLock { $0.list } }

  func changes() -> [EndpointChange] {
    // A deadline that is past: this only takes note of the news.
    _ = news.wait(until: 0)
    return state.withLock { state in
      defer { state.changes = [] }
      state.list = state.seen
      return state.changes
    }
  }

  /// Lists the ports anew; on the client's own thread, so that what goes and comes back is seen.
  ///
  /// - Parameter wakes: whether whoever waits is woken even where the list is as before: somebody may
  ///   have connected to a port of ours.
  private func look(wakes: Bool = false) {
    let isNews = state.withLock { state in
      // Inside: what was listed earlier is not taken later.
      let list = ports.list(of: client)
      let changes = EndpointChange.between(state.seen, list)
      state.changes += changes
      state.seen = list
      return !changes.isEmpty
    }
    if isNews || wakes { news.wake() }
  }

  /// The monitor, as long as it is there.
  private final class Box: Sendable {
    private let weak = Mutex(Weak())

    private struct Weak {
      weak var monitor: JACKEndpointMonitor?
    }

    var monitor: JACKEndpointMonitor? { weak.withLock { $0.monitor } }

    func set(_ monitor: JACKEndpointMonitor) { weak.withLock { $0.monitor = monitor } }
  }
}
