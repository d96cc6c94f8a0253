// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Realtime
internal import Synchronization

/// Reports the MIDI ports of a server that appear and disappear.
final class JACKEndpointMonitor: EndpointMonitor {
  let descriptor: Int32
  private let ports: JACKPorts
  private let client: JACKClient
  private let news: DeadlineWait
  private let state: Mutex<State>
  private let watching: JACKClient.Watching

  private struct State {
    /// The list that was reported.
    var list: EndpointList
    /// The list that was last read.
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
    // Includes ports that appeared since the list was read.
    look()
  }

  deinit { client.endWatching(watching) }

  var endpoints: EndpointList { state.withLock { $0.list } }

  func changes() -> [EndpointChange] {
    // The deadline has passed: this only resets the wake-up.
    _ = news.wait(until: 0)
    return state.withLock { state in
      defer { state.changes = [] }
      state.list = state.seen
      return state.changes
    }
  }

  /// Reads the list of ports, on the client's thread, so that each appearance and disappearance is
  /// noticed.
  ///
  /// - Parameter wakes: True to wake waiting threads even if the list is unchanged, because
  ///   connections to our ports may have changed.
  private func look(wakes: Bool = false) {
    let isNews = state.withLock { state in
      // Inside the lock, so that an older list does not replace a newer one.
      let list = ports.list(of: client)
      let changes = EndpointChange.between(state.seen, list)
      state.changes += changes
      state.seen = list
      return !changes.isEmpty
    }
    if isNews || wakes { news.wake() }
  }

  /// A weak reference to the monitor.
  private final class Box: Sendable {
    private let weak = Mutex(Weak())

    private struct Weak {
      weak var monitor: JACKEndpointMonitor?
    }

    var monitor: JACKEndpointMonitor? { weak.withLock { $0.monitor } }

    func set(_ monitor: JACKEndpointMonitor) { weak.withLock { $0.monitor = monitor } }
  }
}
