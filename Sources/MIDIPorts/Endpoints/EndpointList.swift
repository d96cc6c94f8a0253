// SPDX-License-Identifier: Apache-2.0

/// The devices of one or several kinds of ports at one moment.
public struct EndpointList: Hashable, Sendable {
  /// The devices.
  ///
  /// Those of one kind are ordered by number.
  public let devices: [MIDIDevice]

  /// Creates a list.
  public init(devices: [MIDIDevice]) {
    self.devices = devices
  }

  /// The endpoints of one direction, without ALSA's system client.
  ///
  /// - Complexity: O(n) in the number of ports.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    devices.filter { !$0.isSystem }.flatMap { $0.endpoints(direction) }
  }

  /// The endpoint at an address, or nil if no endpoint has it.
  ///
  /// - Complexity: O(n) in the number of ports.
  public func endpoint(at address: EndpointAddress, _ direction: Endpoint.Direction) -> Endpoint? {
    for device in devices {
      for entity in device.entities {
        guard let endpoint = entity.endpoint(direction), endpoint.address == address else {
          continue
        }
        return endpoint
      }
    }
    return nil
  }

  /// The endpoint with an identity, at any address.
  ///
  /// If several have the same names, it is the one at the last known address, otherwise the one
  /// with the last known port number, otherwise the first.
  public func endpoint(_ identity: EndpointIdentity) -> Endpoint? {
    let alike = endpoints(identity.direction).filter {
      $0.kind == identity.kind && $0.deviceName == identity.deviceName && $0.name == identity.name
    }
    return alike.first { $0.address == identity.lastAddress }
      ?? alike.first { $0.address.port == identity.lastAddress.port } ?? alike.first
  }

  /// The list without one client.
  public func without(client number: UInt8) -> EndpointList {
    EndpointList(devices: devices.filter { $0.number != number })
  }
}

extension MIDIDevice {
  /// True for the ALSA sequencer's system client.
  var isSystem: Bool { kind == .alsa && number == 0 }
}
