// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A set of channels, of each port its own.
public struct PortChannels: Hashable, Sendable {
  private var masks: [UInt16]

  /// The same channels of every port.
  ///
  /// - Parameter channels: bit n is channel index n.
  public init(_ channels: UInt16) {
    masks = Array(repeating: channels, count: TrackPorts.limit)
  }

  /// Every channel of every port.
  public static let all = PortChannels(.max)

  /// No channel of any port.
  public static let none = PortChannels(0)

  /// Channels by their index, sixteen for each port, from 0: 25 is channel 10 of the second port.
  ///
  /// - Precondition: 0 ≤ index < 16 × `TrackPorts.limit`.
  public init(indices: some Sequence<Int>) {
    self = .none
    for index in indices { self[index >> 4] |= 1 << UInt16(index & 15) }
  }

  /// The indices of the channels, sixteen for each port, from 0, in order.
  ///
  /// - Parameter ports: the number of ports to look at.
  /// - Returns: The indices.
  public func indices(ofPorts ports: Int = TrackPorts.limit) -> [Int] {
    (0..<16 * min(ports, TrackPorts.limit)).filter { self[$0 >> 4] >> UInt16($0 & 15) & 1 != 0 }
  }

  /// The channels of a port, bit n for channel index n; none of one past `TrackPorts.limit`.
  ///
  /// - Precondition: a port that is changed is one of the first `TrackPorts.limit`.
  public subscript(port: Int) -> UInt16 {
    get { masks.indices.contains(port) ? masks[port] : 0 }
    set { masks[port] = newValue }
  }

  /// Whether a channel of a port is in the set.
  public func contains(_ channel: Channel, port: Int) -> Bool {
    self[port] >> UInt16(channel.index) & 1 != 0
  }

  /// Whether the set has no channel.
  public var isEmpty: Bool { masks.allSatisfy { $0 == 0 } }

  /// The channels that both sets have.
  public func intersection(_ other: PortChannels) -> PortChannels {
    combined(with: other) { $0 & $1 }
  }

  /// The channels of this set that another has not.
  public func subtracting(_ other: PortChannels) -> PortChannels {
    combined(with: other) { $0 & ~$1 }
  }

  /// The channels that either set has.
  public func union(_ other: PortChannels) -> PortChannels { combined(with: other) { $0 | $1 } }

  /// Adds the channels of another set.
  public mutating func formUnion(_ other: PortChannels) { self = union(other) }

  private func combined(
    with other: PortChannels, _ combine: (UInt16, UInt16) -> UInt16
  ) -> PortChannels {
    var result = self
    for port in masks.indices { result.masks[port] = combine(masks[port], other.masks[port]) }
    return result
  }
}
