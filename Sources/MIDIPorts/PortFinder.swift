// SPDX-License-Identifier: Apache-2.0
public import ALSAMIDI
internal import Realtime

/// Finds the ports that texts name, and waits for them where asked to.
public struct PortFinder {
  /// Waits until a descriptor can be read; what it throws ends the search.
  public typealias Wait = (_ descriptor: Int32) throws -> Void

  private let client: ALSAClient
  private let wait: Wait?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - client: whose own ports are not found.
  ///   - wait: waits for ports to come; nil where one that is not there is an error at once.
  public init(_ client: ALSAClient, waitingBy wait: Wait? = nil) {
    self.client = client
    self.wait = wait
  }

  /// The endpoints, once each, in the order of the texts; none where there is no text.
  ///
  /// - Throws: `EndpointError.unknown`, unless it is waited for, and `ambiguous`.
  public func find(_ texts: [String], _ direction: Endpoint.Direction) throws -> [Endpoint] {
    guard let wait, !texts.isEmpty else { return try list().find(texts, direction) }
    let monitor = try EndpointMonitor()
    while true {
      do {
        return try list().find(texts, direction)
      } catch EndpointError.unknown {
        // Not there yet: wait for the next announcement.
        try wait(monitor.descriptor)
        _ = try monitor.changes()
      }
    }
  }

  private func list() throws -> EndpointList {
    try client.endpoints().without(client: client.number)
  }

  /// Waits without end, on the thread that calls.
  public static func waitForEver(_ descriptor: Int32) throws {
    _ = try DeadlineWait().wait(until: nil, readable: [descriptor])
  }
}

extension OutputPort {
  /// Waits until somebody has connected to the port.
  ///
  /// - Throws: what the wait throws.
  public func waitForListener(by wait: PortFinder.Wait) throws {
    let monitor = try EndpointMonitor()
    while try !client.connections().contains(where: { $0.source == address }) {
      try wait(monitor.descriptor)
      _ = try monitor.changes()
    }
  }
}

extension ALSAClient {
  /// A client with a guardian: what sounds is released even where this process is killed.
  ///
  /// - Parameters:
  ///   - name: what other programs see.
  ///   - tell: told why there is no guardian, where none can be started.
  /// - Returns: the client, without a guardian where there is none.
  /// - Throws: `EndpointError` where there is no sequencer.
  public static func guarded(
    name: String, orElse tell: (any Error) -> Void
  ) throws -> ALSAClient {
    do {
      let guardian = try Guardian()
      let client = try ALSAClient(name: name, guardian: guardian)
      guardian.waitUntilReady()
      return client
    } catch let error as EndpointError {
      throw error
    } catch {
      tell(error)
      return try ALSAClient(name: name)
    }
  }
}
