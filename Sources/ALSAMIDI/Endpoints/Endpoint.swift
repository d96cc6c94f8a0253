// SPDX-License-Identifier: Apache-2.0

/// One direction of a port: something to receive from, or something to send to.
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
    direction: Direction, address: EndpointAddress, deviceName: String, name: String,
    isHardware: Bool = false
  ) {
    self.direction = direction
    self.address = address
    self.deviceName = deviceName
    self.name = name
    self.isHardware = isHardware
  }
}

extension Endpoint: CustomStringConvertible {
  /// The address and the port's name, with the client's before it where it says more.
  public var description: String {
    name.hasPrefix(deviceName) ? "\(address) \(name)" : "\(address) \(deviceName): \(name)"
  }
}

/// What lasts of an endpoint when its device goes and comes back: its names and its place.
public struct EndpointIdentity: Hashable, Sendable {
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
    direction = endpoint.direction
    deviceName = endpoint.deviceName
    name = endpoint.name
    lastAddress = endpoint.address
  }
}
