// SPDX-License-Identifier: Apache-2.0

/// Every device of the sequencer at one moment.
public struct EndpointList: Hashable, Sendable {
  /// The devices, by number.
  public let devices: [MIDIDevice]

  /// Creates a list.
  public init(devices: [MIDIDevice]) {
    self.devices = devices
  }

  /// The endpoints of one direction, by address, without the kernel's own timer and announcer.
  ///
  /// - Complexity: O(n) in the number of ports.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    devices.filter { $0.number != 0 }.flatMap { $0.endpoints(direction) }
  }

  /// The endpoint at an address, if it is there.
  public func endpoint(at address: EndpointAddress, _ direction: Endpoint.Direction) -> Endpoint? {
    devices.first { $0.number == address.client }?
      .entities.first { $0.port == address.port }?.endpoint(direction)
  }

  /// The endpoint that has an identity, wherever it is now.
  ///
  /// Of several with its names it is the one at its last address, else one at its last port number,
  /// else the first.
  public func endpoint(_ identity: EndpointIdentity) -> Endpoint? {
    let alike = endpoints(identity.direction).filter {
      $0.deviceName == identity.deviceName && $0.name == identity.name
    }
    return alike.first { $0.address == identity.lastAddress }
      ?? alike.first { $0.address.port == identity.lastAddress.port } ?? alike.first
  }

  /// The list without one client.
  public func without(client number: UInt8) -> EndpointList {
    EndpointList(devices: devices.filter { $0.number != number })
  }
}
