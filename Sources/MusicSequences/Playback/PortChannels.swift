// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A set of channels for each port of a song.
public struct PortChannels: Hashable, Sendable {
  private var masks: [UInt16]

  /// Creates a set with the same channels on every port.
  ///
  /// - Parameter channels: The channels; bit n is channel index n.
  public init(_ channels: UInt16) {
    masks = Array(repeating: channels, count: TrackPorts.limit)
  }

  /// All channels of all ports.
  public static let all = PortChannels(.max)

  /// The empty set.
  public static let none = PortChannels(0)

  /// Creates a set from channel indices over all ports, sixteen for each port.
  ///
  /// Index 25 is channel 10 of the second port.
  ///
  /// - Precondition: 0 ≤ index < 16 × `TrackPorts.limit`.
  public init(indices: some Sequence<Int>) {
    self = .none
    for index in indices { self[index >> 4] |= 1 << UInt16(index & 15) }
  }

  /// Returns the indices of the channels over all ports, sixteen for each port, in order.
  ///
  /// - Parameter ports: The number of ports to include; all by default.
  /// - Returns: The indices, from 0.
  public func indices(ofPorts ports: Int = TrackPorts.limit) -> [Int] {
    (0..<16 * min(ports, TrackPorts.limit)).filter { self[$0 >> 4] >> UInt16($0 & 15) & 1 != 0 }
  }

  /// The channels of a port; bit n is channel index n.
  ///
  /// Empty for ports from `TrackPorts.limit` on.
  ///
  /// - Precondition: For setting, the port must be below `TrackPorts.limit`.
  public subscript(port: Int) -> UInt16 {
    get { masks.indices.contains(port) ? masks[port] : 0 }
    set { masks[port] = newValue }
  }

  /// Returns true if a channel of a port is in the set.
  public func contains(_ channel: Channel, port: Int) -> Bool {
    self[port] >> UInt16(channel.index) & 1 != 0
  }

  /// True if the set is empty.
  public var isEmpty: Bool { masks.allSatisfy { $0 == 0 } }

  /// Returns the channels that are in both sets.
  public func intersection(_ other: PortChannels) -> PortChannels {
    combined(with: other) { $0 & $1 }
  }

  /// Returns the channels of this set that are not in another set.
  public func subtracting(_ other: PortChannels) -> PortChannels {
    combined(with: other) { $0 & ~$1 }
  }

  /// Returns the channels that are in at least one of two sets.
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
