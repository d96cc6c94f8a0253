// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Realtime
internal import Synchronization

/// Reports sessions of other machines that appear and disappear.
///
/// - Note: Can be used from any thread. Not real-time safe.
final class RTPMonitor: EndpointMonitor {
  /// Is woken after a change.
  private let news: DeadlineWait
  private let provider: RTPPorts
  private let known: Mutex<EndpointList>

  init(_ provider: RTPPorts) throws(RealtimeError) {
    let news = try DeadlineWait()
    (self.provider, self.news) = (provider, news)
    provider.watch(by: news)
    known = Mutex(provider.peers())
  }

  deinit { provider.unwatch(by: news) }

  var descriptor: Int32 { news.descriptor }

  var endpoints: EndpointList { known.withLock { $0 } }

  func changes() -> [EndpointChange] {
    // A deadline in the past, so this only clears the notification.
    _ = news.wait(until: 0)
    let now = provider.peers()
    return known.withLock { known in
      defer { known = now }
      return EndpointChange.between(known, now)
    }
  }
}
