// SPDX-License-Identifier: Apache-2.0

/// Follows one endpoint by its identity: through its device's going away and coming back.
public struct EndpointTracker: Sendable {
  /// What a new list means for the endpoint.
  public enum Change: Hashable, Sendable {
    /// It went away; until it returns nothing reaches it.
    case parked(Endpoint)
    /// It is back, perhaps under other numbers: connect to it anew.
    case returned(Endpoint)
  }

  /// Who is followed.
  public private(set) var identity: EndpointIdentity
  /// Where it is, or nil while it is away.
  public private(set) var endpoint: Endpoint?

  /// Follows an endpoint that is there.
  public init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    identity = EndpointIdentity(endpoint)
  }

  /// Looks for the endpoint in a new list; nil where nothing has changed for it.
  ///
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

  /// Takes one announced change: an endpoint that vanished and returned between two lists is
  /// seen too.
  public mutating func update(with change: EndpointChange, _ list: EndpointList) -> Change? {
    if case .vanished(let gone) = change, gone == endpoint {
      endpoint = nil
      return .parked(gone)
    }
    return update(with: list)
  }
}
