// SPDX-License-Identifier: Apache-2.0
public import ALSAMIDI

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

  private let monitor: EndpointMonitor
  private var trackers: [EndpointTracker]
  private let connect: (Endpoint) throws -> Void

  /// Keeps endpoints that are connected already.
  ///
  /// - Parameters:
  ///   - endpoints: those that are kept.
  ///   - connect: connects one that is back.
  /// - Throws: `EndpointError` where there is no sequencer.
  public init(_ endpoints: [Endpoint], connect: @escaping (Endpoint) throws -> Void) throws {
    monitor = try EndpointMonitor()
    trackers = endpoints.map { EndpointTracker($0) }
    self.connect = connect
  }

  /// Connects a port of ours to sources, and keeps it so.
  ///
  /// - Throws: `EndpointError.vanished` where a source went away.
  public convenience init(_ input: InputPort, to sources: [Endpoint]) throws {
    try self.init(sources) { try input.connect(to: $0) }
    for source in sources { try input.connect(to: source) }
  }

  /// What becomes readable when something has happened.
  public var descriptors: [Int32] { [monitor.descriptor] }

  /// Takes what has happened, connects what is back, and tells of both in order; at once.
  ///
  /// - Throws: what connecting throws; `EndpointError` where the sequencer is gone.
  public func update() throws -> [Change] {
    var changes: [Change] = []
    for change in try monitor.changes() {
      for index in trackers.indices {
        switch trackers[index].update(with: change, monitor.endpoints) {
        case .parked(let endpoint): changes.append(.gone(endpoint))
        case .returned(let endpoint):
          if try isConnected(endpoint) { changes.append(.back(endpoint)) }
        case nil: break
        }
      }
    }
    return changes
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
    case .back(let endpoint): "port '\(endpoint)': is back"
    }
  }
}
