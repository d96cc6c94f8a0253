// SPDX-License-Identifier: Apache-2.0

/// Something that happened to ports.
public enum EndpointChange: Hashable, Sendable {
  /// An endpoint came; one that was renamed has vanished before.
  case appeared(Endpoint)
  /// An endpoint is there no longer.
  case vanished(Endpoint)
  /// Two ports were connected.
  case connected(EndpointConnection)
  /// Two ports were disconnected.
  case disconnected(EndpointConnection)
}

extension EndpointChange {
  /// What makes one list into another: first what vanished, then what appeared.
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
