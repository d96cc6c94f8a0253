// SPDX-License-Identifier: Apache-2.0

/// Tracks one endpoint by its identity while its device disappears and returns.
public struct EndpointTracker: Sendable {
  /// A change of the tracked endpoint.
  public enum Change: Hashable, Sendable {
    /// The endpoint disappeared; the tracker waits for it.
    case parked(Endpoint)
    /// The endpoint returned, possibly at another address; connect to it again.
    case returned(Endpoint)
  }

  /// The properties by which the endpoint is recognised.
  public private(set) var identity: EndpointIdentity
  /// The current endpoint; nil while it is absent.
  public private(set) var endpoint: Endpoint?

  /// Creates a tracker for an available endpoint.
  public init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    identity = EndpointIdentity(endpoint)
  }

  /// Looks for the endpoint in a new list.
  ///
  /// - Returns: The change, or nil if the state of the endpoint is the same.
  /// - Complexity: O(n) in the number of ports.
  public mutating func update(with list: EndpointList) -> Change? {
    let found = list.endpoint(identity)
    defer {
      endpoint = found
      if let found { identity = EndpointIdentity(found) }
    }
    switch (endpoint, found) {
    case (nil, let found?): return .returned(found)
    case (let gone?, nil): return .parked(gone)
    case (let old?, let found?) where old.address != found.address: return .returned(found)
    default: return nil
    }
  }

  /// Processes one reported change and the list after it.
  ///
  /// This also detects an endpoint that vanished and returned between two lists.
  public mutating func update(with change: EndpointChange, _ list: EndpointList) -> Change? {
    if case .vanished(let gone) = change, gone == endpoint {
      endpoint = nil
      return .parked(gone)
    }
    return update(with: list)
  }
}
