// SPDX-License-Identifier: Apache-2.0

/// One direction of somebody else's port: something to receive from, or something to send to.
public struct Endpoint: Hashable, Sendable {
  /// Which way its events go.
  public enum Direction: Hashable, Sendable, CustomStringConvertible {
    /// It sends, and can be received from.
    case source
    /// It takes what is sent to it.
    case destination

    /// The word for it.
    public var description: String {
      switch self {
      case .source: "source"
      case .destination: "destination"
      }
    }
  }

  /// What its port is one of.
  public let kind: PortKind
  /// Which way its events go.
  public let direction: Direction
  /// Where it is now.
  public let address: EndpointAddress
  /// The name of the client it belongs to.
  public let deviceName: String
  /// The port's own name.
  public let name: String
  /// Whether what is sent leaves the computer, as far as the driver says.
  public let isHardware: Bool

  /// Describes an endpoint.
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
  /// What finds it whatever else there is: `128:0` of ALSA, else its kind and names, such as
  /// `rtp:studio` and `jack:system:midi_playback_1`.
  public var fullName: String {
    if kind == .alsa { return "\(address)" }
    return name == deviceName ? "\(kind):\(name)" : "\(kind):\(deviceName):\(name)"
  }

  /// Whether it is this endpoint under whatever numbers.
  public func isSameDevice(as other: Endpoint) -> Bool {
    kind == other.kind && deviceName == other.deviceName && name == other.name
  }
}

extension Endpoint: CustomStringConvertible {
  /// The full name; of ALSA, where that is numbers, with the port's name, and with the client's
  /// before it where it says more.
  public var description: String {
    guard kind == .alsa else { return fullName }
    return name.hasPrefix(deviceName) ? "\(address) \(name)" : "\(address) \(deviceName): \(name)"
  }
}

/// What lasts of an endpoint when its device goes and comes back: its names and its place.
public struct EndpointIdentity: Hashable, Sendable {
  /// What its port is one of.
  public let kind: PortKind
  /// Which way its events go.
  public let direction: Endpoint.Direction
  /// The name of the client it belongs to.
  public let deviceName: String
  /// The port's own name.
  public let name: String
  /// The address it had: it decides between ports of the same names.
  public let lastAddress: EndpointAddress

  /// The identity of an endpoint that is there.
  public init(_ endpoint: Endpoint) {
    kind = endpoint.kind
    direction = endpoint.direction
    deviceName = endpoint.deviceName
    name = endpoint.name
    lastAddress = endpoint.address
  }
}
