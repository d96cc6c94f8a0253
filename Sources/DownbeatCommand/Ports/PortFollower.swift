// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI

/// Connects ports again when they have gone away and come back, and says so.
struct PortFollower {
  private let monitor: EndpointMonitor
  private var trackers: [EndpointTracker]

  init(_ endpoints: [Endpoint]) throws {
    monitor = try EndpointMonitor()
    trackers = endpoints.map { EndpointTracker($0) }
  }

  /// What becomes readable when something has happened.
  var descriptors: [Int32] { [monitor.descriptor] }

  /// Takes what has happened.
  ///
  /// - Parameters:
  ///   - connect: called with each endpoint that is back.
  ///   - gone: called for each that went away.
  /// - Throws: what they throw; `EndpointError` where the sequencer is gone.
  mutating func update(
    connect: (Endpoint) throws -> Void, gone: () throws -> Void = {}
  ) throws {
    for change in try monitor.changes() {
      for index in trackers.indices {
        switch trackers[index].update(with: change, monitor.endpoints) {
        case .parked(let endpoint):
          Terminal.report("\(EndpointError.vanished(name: "\(endpoint)"))")
          try gone()
        case .returned(let endpoint): try reconnect(endpoint, connect)
        case nil: break
        }
      }
    }
  }

  private func reconnect(_ endpoint: Endpoint, _ connect: (Endpoint) throws -> Void) throws {
    do {
      try connect(endpoint)
      Terminal.report("port '\(endpoint)': is back")
    } catch EndpointError.vanished {
      // Gone again: its next return is announced like this one.
    }
  }
}
