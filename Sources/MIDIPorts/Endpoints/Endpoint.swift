// SPDX-License-Identifier: Apache-2.0

/// A port of another program or device, seen in one direction: as a source or as a destination.
public struct Endpoint: Hashable, Sendable {
  /// The direction of an endpoint, from the view of this program.
  public enum Direction: Hashable, Sendable, CustomStringConvertible {
    /// The port sends events, which this program can receive.
    case source
    /// The port receives the events that this program sends.
    case destination

    /// The word "source" or "destination".
    public var description: String {
      switch self {
      case .source: "source"
      case .destination: "destination"
      }
    }
  }

  /// The kind of port.
  public let kind: PortKind
  /// The direction of the endpoint: a source or a destination.
  public let direction: Direction
  /// The current address of the port, which can change when its device returns.
  public let address: EndpointAddress
  /// The name of the client that has the port.
  public let deviceName: String
  /// The name of the port.
  public let name: String
  /// True if the port belongs to hardware, according to the driver; false by default.
  public let isHardware: Bool

  /// Creates a description of an endpoint from its values.
  public init(
    _ kind: PortKind = .alsa, direction: Direction, address: EndpointAddress, deviceName: String,
    name: String, isHardware: Bool = false
  ) {
    self.kind = kind
    self.direction = direction
    self.address = address
    self.deviceName = deviceName
    self.name = name
    self.isHardware = isHardware
  }
}

extension Endpoint {
  /// The name that selects exactly this endpoint, such as `rtp:studio` or
  /// `jack:system:midi_playback_1`.
  ///
  /// For ALSA it is the address, such as `128:0`.
  public var fullName: String {
    if kind == .alsa { return "\(address)" }
    return name == deviceName ? "\(kind):\(name)" : "\(kind):\(deviceName):\(name)"
  }

  /// Returns true if two endpoints have the same kind and names, even if their addresses differ.
  public func isSameDevice(as other: Endpoint) -> Bool {
    kind == other.kind && deviceName == other.deviceName && name == other.name
  }
}

extension Endpoint: CustomStringConvertible {
  /// The full name, for messages and lists.
  ///
  /// For ALSA, the address is followed by the names of client and port. The client's name is left
  /// out if the port's name begins with it.
  public var description: String {
    guard kind == .alsa else { return fullName }
    return name.hasPrefix(deviceName) ? "\(address) \(name)" : "\(address) \(deviceName): \(name)"
  }
}

/// The properties of an endpoint that stay the same when its device disappears and returns.
public struct EndpointIdentity: Hashable, Sendable {
  /// The kind of port.
  public let kind: PortKind
  /// The direction of the endpoint: a source or a destination.
  public let direction: Endpoint.Direction
  /// The name of the client that has the port.
  public let deviceName: String
  /// The name of the port.
  public let name: String
  /// The last known address.
  ///
  /// The address distinguishes ports with the same names.
  public let lastAddress: EndpointAddress

  /// Creates the identity of an endpoint.
  public init(_ endpoint: Endpoint) {
    kind = endpoint.kind
    direction = endpoint.direction
    deviceName = endpoint.deviceName
    name = endpoint.name
    lastAddress = endpoint.address
  }
}
