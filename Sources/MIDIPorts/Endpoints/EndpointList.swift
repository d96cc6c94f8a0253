// SPDX-License-Identifier: Apache-2.0

/// Every device at one moment, of one kind of port or of several.
public struct EndpointList: Hashable, Sendable {
  /// The devices, those of a kind by number.
  public let devices: [MIDIDevice]

  /// Creates a list.
  public init(devices: [MIDIDevice]) {
    self.devices = devices
  }

  /// The endpoints of one direction, without the timer and announcer of ALSA's kernel.
  ///
  /// - Complexity: O(n) in the number of ports.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    devices.filter { !$0.isSystem }.flatMap { $0.endpoints(direction) }
  }

  /// The endpoint at an address, if it is there.
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

  /// The endpoint that has an identity, wherever it is now.
  ///
  /// Of several with its names it is the one at its last address, else one at its last port number,
  /// else the first.
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
  /// Whether it is the sequencer itself.
  var isSystem: Bool { kind == .alsa && number == 0 }
}
