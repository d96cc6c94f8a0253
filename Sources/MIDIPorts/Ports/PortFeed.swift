// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Sends one list of events to several ports, each of which accepts events when it has room.
public struct PortFeed {
  private let ports: [any OutputPort]
  private var next: [Int]

  /// Creates a feed that begins with the first event of a list.
  public init(_ ports: OutputPorts) {
    self.ports = ports.members.map(\.port)
    next = self.ports.map { _ in 0 }
  }

  /// The number of events that all ports have accepted.
  public var sent: Int { next.min() ?? 0 }

  /// Sends to each port the events of a list that are due before an instant and that the port has
  /// not accepted yet.
  ///
  /// - Returns: The number of further events that all ports have accepted.
  /// - Throws: An error if the system that provides a port has ended.
  public mutating func send(
    _ buffer: borrowing HostEventBuffer, before limit: HostTime = HostTime(nanoseconds: .max)
  ) throws -> Int {
    let before = sent
    for (place, port) in ports.enumerated() {
      next[place] += try port.send(buffer, from: next[place], before: limit)
    }
    return sent - before
  }

  /// Marks the events from an index on as not accepted, so that they are sent again.
  public mutating func takeBack(from event: Int) {
    for place in next.indices { next[place] = min(next[place], event) }
  }

  /// Adjusts the feed after events, which all ports have accepted, were removed from the start of
  /// the list.
  public mutating func removeFirst(_ count: Int) {
    for place in next.indices { next[place] -= count }
  }
}
