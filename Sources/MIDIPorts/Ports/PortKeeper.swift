// SPDX-License-Identifier: Apache-2.0

/// Connects ports again that have gone away and come back.
///
/// - Note: one thread at a time.
public final class PortKeeper {
  /// What became of a port.
  public enum Change: Hashable, Sendable {
    /// It went away: until it is back nothing comes from there or gets there.
    case gone(Endpoint)
    /// It is back, perhaps under other numbers, and connected.
    case back(Endpoint)
  }

  private struct Kept {
    let monitor: any EndpointMonitor
    var trackers: [EndpointTracker]
  }

  /// Those of each kind.
  private var kept: [Kept]
  private let connect: (Endpoint) throws -> Void

  /// Keeps endpoints that are connected already.
  ///
  /// - Parameters:
  ///   - endpoints: those that are kept.
  ///   - system: whose endpoints they are.
  ///   - connect: connects one that is back.
  /// - Throws: where what has the ports is not there.
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

  /// What becomes readable when something has happened.
  public var descriptors: [Int32] { kept.map(\.monitor.descriptor) }

  /// Takes what has happened, connects what is back, and tells of both in order; at once.
  ///
  /// - Throws: what connecting throws; where what has the ports is gone.
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
      // Gone again: its next return is announced like this one.
      return false
    }
  }
}

extension PortKeeper.Change: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .gone(let endpoint): "\(EndpointError.vanished(name: "\(endpoint)"))"
    case .back(let endpoint): "port '\(endpoint)': reconnected"
    }
  }
}
