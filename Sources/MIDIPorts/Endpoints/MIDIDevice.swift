// SPDX-License-Identifier: Apache-2.0

/// A device with ports: the MIDI part of a sound card, a program, or a peer on the network.
public struct MIDIDevice: Hashable, Sendable {
  /// The kind of port that the device has.
  public let kind: PortKind
  /// The number of the client.
  ///
  /// For kinds other than ALSA, this is the client number in the address of the first port.
  public let number: UInt8
  /// The name of the device; for ALSA and JACK, the name of the client.
  public let name: String
  /// True for a driver in the kernel, false for a program.
  public let isKernel: Bool
  /// The number of the sound card, if the kernel reports it.
  public let card: Int?
  /// The process ID of the program, if the kernel reports it.
  public let process: Int?
  /// The ports, in order of number.
  public let entities: [MIDIEntity]

  /// Creates a description of a device from its values.
  public init(
    _ kind: PortKind = .alsa, number: UInt8, name: String, isKernel: Bool = false, card: Int? = nil,
    process: Int? = nil,
    entities: [MIDIEntity]
  ) {
    self.kind = kind
    self.number = number
    self.name = name
    self.isKernel = isKernel
    self.card = card
    self.process = process
    self.entities = entities
  }

  /// Returns the endpoints of one direction, in order of port number.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    entities.compactMap { $0.endpoint(direction) }
  }
}

/// A port of a device.
///
/// It has a source, a destination, or both.
public struct MIDIEntity: Hashable, Sendable {
  /// The number of the port in its device.
  public let port: UInt8
  /// The name of the port.
  public let name: String
  /// The endpoint to receive from; nil if the port does not send.
  public let source: Endpoint?
  /// The endpoint to send to; nil if the port does not receive.
  public let destination: Endpoint?

  /// Creates a description of a port from its values.
  public init(port: UInt8, name: String, source: Endpoint?, destination: Endpoint?) {
    self.port = port
    self.name = name
    self.source = source
    self.destination = destination
  }

  /// Returns the endpoint of one direction, or nil if the port does not have it.
  public func endpoint(_ direction: Endpoint.Direction) -> Endpoint? {
    direction == .source ? source : destination
  }
}
