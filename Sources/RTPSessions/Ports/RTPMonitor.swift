// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Realtime
internal import Synchronization

/// Tells of sessions of others that come and go.
///
/// - Note: any thread may use it. Not real-time safe.
final class RTPMonitor: EndpointMonitor {
  /// What is woken where something has changed.
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
    // A deadline that is past: this only takes note of the news.
    _ = news.wait(until: 0)
    let now = provider.peers()
    return known.withLock { known in
      defer { known = now }
      return EndpointChange.between(known, now)
    }
  }
}
