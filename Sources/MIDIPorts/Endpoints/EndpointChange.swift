// SPDX-License-Identifier: Apache-2.0

/// A change of the available ports or their connections.
public enum EndpointChange: Hashable, Sendable {
  /// An endpoint appeared.
  ///
  /// If an endpoint is renamed, it is first reported as vanished and then as appeared.
  case appeared(Endpoint)
  /// An endpoint vanished.
  case vanished(Endpoint)
  /// Two ports were connected.
  case connected(EndpointConnection)
  /// Two ports were disconnected.
  case disconnected(EndpointConnection)
}

extension EndpointChange {
  /// Returns the changes from one list to another: first the vanished endpoints, then the new ones.
  ///
  /// - Complexity: O(n) in the number of ports.
  public static func between(_ old: EndpointList, _ new: EndpointList) -> [EndpointChange] {
    let before = old.endpoints(.source) + old.endpoints(.destination)
    let after = new.endpoints(.source) + new.endpoints(.destination)
    let (known, present) = (Set(before), Set(after))
    return before.filter { !present.contains($0) }.map(EndpointChange.vanished)
      + after.filter { !known.contains($0) }.map(EndpointChange.appeared)
  }
}
