// SPDX-License-Identifier: Apache-2.0

/// Keeps ports connected when the devices behind them disappear and return.
///
/// - Note: Use it from one thread at a time.
public final class PortKeeper {
  /// A change of a port.
  public enum Change: Hashable, Sendable {
    /// The port disappeared.
    ///
    /// Until it returns, events are neither sent to it nor received from it.
    case gone(Endpoint)
    /// The port returned, possibly at another address, and is connected again.
    case back(Endpoint)
  }

  private struct Kept {
    let monitor: any EndpointMonitor
    var trackers: [EndpointTracker]
  }

  /// The monitor and trackers of each kind.
  private var kept: [Kept]
  private let connect: (Endpoint) throws -> Void

  /// Creates a keeper for endpoints that are already connected.
  ///
  /// - Parameters:
  ///   - endpoints: The endpoints to keep connected.
  ///   - system: The system that lists the endpoints.
  ///   - connect: Connects an endpoint that has returned.
  /// - Throws: An error if the system that provides the ports is not available.
  public init(
    _ endpoints: [Endpoint], of system: PortSystem, connect: @escaping (Endpoint) throws -> Void
  ) throws {
    kept = try endpoints.map(\.kind).uniqued.map { kind in
      Kept(
        monitor: try system.provider(of: kind).makeMonitor(),
        trackers: endpoints.filter { $0.kind == kind }.map { EndpointTracker($0) })
    }
    self.connect = connect
  }

  /// The file descriptors that become readable after a change.
  public var descriptors: [Int32] { kept.map(\.monitor.descriptor) }

  /// Processes changes, connects endpoints that have returned, and returns immediately.
  ///
  /// - Returns: The changes, in order.
  /// - Throws: The errors of connecting, and an error if the system that provides the ports has
  ///   ended.
  public func update() throws -> [Change] {
    var changes: [Change] = []
    for place in kept.indices {
      for change in try kept[place].monitor.changes() {
        try take(change, place, into: &changes)
      }
    }
    return changes
  }

  private func take(
    _ change: EndpointChange, _ place: Int, into changes: inout [Change]
  ) throws {
    let list = kept[place].monitor.endpoints
    for index in kept[place].trackers.indices {
      switch kept[place].trackers[index].update(with: change, list) {
      case .parked(let endpoint): changes.append(.gone(endpoint))
      case .returned(let endpoint):
        if try isConnected(endpoint) { changes.append(.back(endpoint)) }
      case nil: break
      }
    }
  }

  private func isConnected(_ endpoint: Endpoint) throws -> Bool {
    do {
      try connect(endpoint)
      return true
    } catch EndpointError.vanished {
      // It disappeared again; its next return will be reported too.
      return false
    }
  }
}

extension PortKeeper.Change: CustomStringConvertible {
  /// A message about the change, for the user.
  public var description: String {
    switch self {
    case .gone(let endpoint): "\(EndpointError.vanished(name: "\(endpoint)"))"
    case .back(let endpoint): "port '\(endpoint)': reconnected"
    }
  }
}
