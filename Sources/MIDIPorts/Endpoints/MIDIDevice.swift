// SPDX-License-Identifier: Apache-2.0

/// What has ports: a card's MIDI part, a program, a peer on the network.
public struct MIDIDevice: Hashable, Sendable {
  /// What its ports are.
  public let kind: PortKind
  /// The client's number; of other kinds than ALSA that of its first port's address.
  public let number: UInt8
  /// Its name: of ALSA and JACK the client's.
  public let name: String
  /// Whether it is a driver in the kernel rather than a program.
  public let isKernel: Bool
  /// The number of the sound card it belongs to, where the kernel says.
  public let card: Int?
  /// The process it belongs to, where the kernel says.
  public let process: Int?
  /// Its ports, by number.
  public let entities: [MIDIEntity]

  /// Describes a device.
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

  /// The endpoints of one direction, by port number.
  public func endpoints(_ direction: Endpoint.Direction) -> [Endpoint] {
    entities.compactMap { $0.endpoint(direction) }
  }
}

/// A port of a device: up to two endpoints that belong together.
public struct MIDIEntity: Hashable, Sendable {
  /// The port's number within its device.
  public let port: UInt8
  /// The port's name.
  public let name: String
  /// What can be received from, if it sends.
  public let source: Endpoint?
  /// What can be sent to, if it takes events.
  public let destination: Endpoint?

  /// Describes a port.
  public init(port: UInt8, name: String, source: Endpoint?, destination: Endpoint?) {
    self.port = port
    self.name = name
    self.source = source
    self.destination = destination
  }

  /// The endpoint of one direction.
  public func endpoint(_ direction: Endpoint.Direction) -> Endpoint? {
    direction == .source ? source : destination
  }
}
