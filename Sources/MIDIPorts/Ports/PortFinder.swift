// SPDX-License-Identifier: Apache-2.0
internal import Realtime

/// Finds ports by name, and can wait until they appear.
public struct PortFinder {
  /// A function that waits until one of several file descriptors is readable.
  ///
  /// If it throws an error, the search ends.
  public typealias Wait = (_ descriptors: [Int32]) throws -> Void

  private let system: PortSystem
  private let wait: Wait?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - system: The system in which ports are searched.
  ///   - wait: Waits for ports to appear. If nil, the default, a missing port is an error.
  public init(_ system: PortSystem, waitingBy wait: Wait? = nil) {
    self.system = system
    self.wait = wait
  }

  /// Creates a finder for the ports of one provider.
  public init(_ provider: any PortProvider, waitingBy wait: Wait? = nil) {
    self.init(PortSystem(provider), waitingBy: wait)
  }

  /// Returns the endpoints that several strings name, in order and without duplicates; empty
  /// without strings.
  ///
  /// - Throws: `EndpointError.unknown` if a port is missing and the finder does not wait,
  ///   `ambiguous`, `ofSeveralKinds` or `noProvider`.
  public func find(_ texts: [String], _ direction: Endpoint.Direction) throws -> [Endpoint] {
    guard let wait, !texts.isEmpty else { return try system.find(texts, direction) }
    let monitors = try system.monitors(for: texts)
    while true {
      do {
        return try system.find(texts, direction)
      } catch EndpointError.unknown {
        // The port does not exist yet: wait for the next report.
        try wait(monitors.map(\.descriptor))
        for monitor in monitors { _ = try monitor.changes() }
      }
    }
  }

  /// Waits without a time limit; for use as a `Wait`.
  public static func waitForEver(_ descriptors: [Int32]) throws {
    _ = try DeadlineWait().wait(until: nil, readable: descriptors)
  }
}

extension PortProvider {
  /// Waits until a receiver is connected to a port.
  ///
  /// - Throws: The errors of `wait`, and an error if the system that provides the ports has ended.
  public func waitForListener(of port: any OutputPort, by wait: PortFinder.Wait) throws {
    let monitor = try makeMonitor()
    while try !port.hasListeners {
      try wait([monitor.descriptor])
      _ = try monitor.changes()
    }
  }
}
