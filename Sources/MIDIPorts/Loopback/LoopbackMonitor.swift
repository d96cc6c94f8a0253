// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Reports the devices of `LoopbackPorts`.
final class LoopbackMonitor: EndpointMonitor {
  let descriptor: Int32
  private let ports: LoopbackPorts
  private let number: Int

  init(_ ports: LoopbackPorts) throws {
    let news = try DeadlineWait()
    self.ports = ports
    descriptor = news.descriptor
    number = ports.state.withLock { state in
      let number = state.makeNumber()
      state.watchers[number] = LoopbackState.Watcher(list: state.list, news: news)
      return number
    }
  }

  deinit {
    ports.state.withLock { $0.watchers[number] = nil }
  }

  var endpoints: EndpointList {
    ports.state.withLock { $0.watchers[number]?.list ?? EndpointList(devices: []) }
  }

  func changes() -> [EndpointChange] {
    ports.state.withLock { state in
      guard var watcher = state.watchers[number] else { return [] }
      // A deadline in the past, so this only clears the notification.
      _ = watcher.news.wait(until: 0)
      defer { state.watchers[number] = watcher }
      watcher.list = state.list
      defer { watcher.changes = [] }
      return watcher.changes
    }
  }
}
