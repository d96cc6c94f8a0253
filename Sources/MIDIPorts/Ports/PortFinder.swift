// SPDX-License-Identifier: Apache-2.0
internal import Realtime

/// Finds the ports that texts name, and waits for them where asked to.
public struct PortFinder {
  /// Waits until one of some descriptors can be read; what it throws ends the search.
  public typealias Wait = (_ descriptors: [Int32]) throws -> Void

  private let system: PortSystem
  private let wait: Wait?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - system: where ports are looked for.
  ///   - wait: waits for ports to come; nil where one that is not there is an error at once.
  public init(_ system: PortSystem, waitingBy wait: Wait? = nil) {
    self.system = system
    self.wait = wait
  }

  /// Creates a finder of one kind of port.
  public init(_ provider: any PortProvider, waitingBy wait: Wait? = nil) {
    self.init(PortSystem(provider), waitingBy: wait)
  }

  /// The endpoints, once each, in the order of the texts; none where there is no text.
  ///
  /// - Throws: `EndpointError.unknown`, unless it is waited for, `ambiguous`, `ofSeveralKinds` and
  ///   `noProvider`.
  public func find(_ texts: [String], _ direction: Endpoint.Direction) throws -> [Endpoint] {
    guard let wait, !texts.isEmpty else { return try system.find(texts, direction) }
    let monitors = try system.monitors(for: texts)
    while true {
      do {
        return try system.find(texts, direction)
      } catch EndpointError.unknown {
        // Not there yet: wait for the next announcement.
        try wait(monitors.map(\.descriptor))
        for monitor in monitors { _ = try monitor.changes() }
      }
    }
  }

  /// Waits without end, on the thread that calls.
  public static func waitForEver(_ descriptors: [Int32]) throws {
    _ = try DeadlineWait().wait(until: nil, readable: descriptors)
  }
}

extension PortProvider {
  /// Waits until somebody receives what a port sends.
  ///
  /// - Throws: what the wait throws; where what has the ports is gone.
  public func waitForListener(of port: any OutputPort, by wait: PortFinder.Wait) throws {
    let monitor = try makeMonitor()
    while try !port.hasListeners {
      try wait([monitor.descriptor])
      _ = try monitor.changes()
    }
  }
}
