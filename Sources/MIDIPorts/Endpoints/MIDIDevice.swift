// SPDX-License-Identifier: Apache-2.0

/// A device with ports: the MIDI part of a sound card, a program, or a peer on the network.
public struct MIDIDevice: Hashable, Sendable {
  /// The kind of its ports.
  public let kind: PortKind
  /// The number of the client.
  ///
  /// For kinds other than ALSA, the client number of the first port's address.
  public let number: UInt8
  /// The name; for ALSA and JACK, the name of the client.
  public let name: String
  /// True for a driver in the kernel, false for a program.
  public let isKernel: Bool
  /// The number of the sound card, if the kernel reports it.
  public let card: Int?
  /// The process ID of the program, if the kernel reports it.
  public let process: Int?
  /// The ports, in order of number.
  public let entities: [MIDIEntity]

  /// Creates a description of a device.
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

  /// The endpoints of one direction, in order of port number.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    entities.compactMap { $0.endpoint(direction) }
  }
}

/// A port of a device, with up to two endpoints.
public struct MIDIEntity: Hashable, Sendable {
  /// The number of the port in its device.
  public let port: UInt8
  /// The name of the port.
  public let name: String
  /// The endpoint to receive from; nil if the port does not send.
  public let source: Endpoint?
  /// The endpoint to send to; nil if the port does not receive.
  public let destination: Endpoint?

  /// Creates a description of a port.
  public init(port: UInt8, name: String, source: Endpoint?, destination: Endpoint?) {
    self.port = port
    self.name = name
    self.source = source
    self.destination = destination
  }

  /// The endpoint of one direction, or nil.
  public func endpoint(_ direction: Endpoint.Direction) -> Endpoint? {
    direction == .source ? source : destination
  }
}
