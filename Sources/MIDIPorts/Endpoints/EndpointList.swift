// SPDX-License-Identifier: Apache-2.0

/// The devices with ports at one moment, of one or several kinds.
public struct EndpointList: Hashable, Sendable {
  /// The devices; those of one kind are in order of their numbers.
  public let devices: [MIDIDevice]

  /// Creates a list from devices.
  public init(devices: [MIDIDevice]) {
    self.devices = devices
  }

  /// Returns the endpoints of one direction, without those of ALSA's system client.
  ///
  /// - Complexity: O(n) in the number of ports.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    devices.filter { !$0.isSystem }.flatMap { $0.endpoints(direction) }
  }

  /// Returns the endpoint at an address, or nil if none is there.
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

  /// Returns the endpoint with an identity, at any address, or nil if the list does not contain it.
  ///
  /// If several endpoints have the same names, the one at the last known address is returned. If
  /// none is there, it is the one with the last known port number, or else the first.
  public func endpoint(_ identity: EndpointIdentity) -> Endpoint? {
    let alike = endpoints(identity.direction).filter {
      $0.kind == identity.kind && $0.deviceName == identity.deviceName && $0.name == identity.name
    }
    return alike.first { $0.address == identity.lastAddress }
      ?? alike.first { $0.address.port == identity.lastAddress.port } ?? alike.first
  }

  /// Returns the list without one client.
  public func without(client number: UInt8) -> EndpointList {
    EndpointList(devices: devices.filter { $0.number != number })
  }
}

extension MIDIDevice {
  /// True for the ALSA sequencer's system client.
  var isSystem: Bool { kind == .alsa && number == 0 }
}
