// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// One list of events for several ports, each of which takes them as it has room.
public struct PortFeed {
  private let ports: [any OutputPort]
  private var next: [Int]

  /// Begins with the first event of a list, for all of some ports.
  public init(_ ports: OutputPorts) {
    self.ports = ports.members.map(\.port)
    next = self.ports.map { _ in 0 }
  }

  /// How many of the events every port has taken.
  public var sent: Int { next.min() ?? 0 }

  /// Offers a list's events that are due before an instant and were not taken yet.
  ///
  /// - Returns: how many more every port has taken.
  /// - Throws: where what has a port is gone.
  public mutating func send(
    _ buffer: borrowing HostEventBuffer, before limit: HostTime = HostTime(nanoseconds: .max)
  ) throws -> Int {
    let before = sent
    for (place, port) in ports.enumerated() {
      next[place] += try port.send(buffer, from: next[place], before: limit)
    }
    return sent - before
  }

  /// Counts the events from one on as not taken.
  public mutating func takeBack(from event: Int) {
    for place in next.indices { next[place] = min(next[place], event) }
  }

  /// Counts on in a list without the first events of this one, which every port has taken.
  public mutating func removeFirst(_ count: Int) {
    for place in next.indices { next[place] -= count }
  }
}
