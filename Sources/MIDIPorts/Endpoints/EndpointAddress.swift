// SPDX-License-Identifier: Apache-2.0

/// The current address of a port: the numbers of its client and of the port.
///
/// The address of a port can change when its device returns; its `EndpointIdentity` does not. ALSA
/// clients have numbers 0…191. Ports of other kinds have greater numbers (`EndpointNumbering`),
/// which identify the senders of received events and are not shown to users.
public struct EndpointAddress: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of the client.
  public let client: UInt8
  /// The number of the port in its client.
  public let port: UInt8

  /// Creates an address from its numbers.
  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// Returns true if the left address precedes the right one in lists.
  public static func < (left: EndpointAddress, right: EndpointAddress) -> Bool {
    (left.client, left.port) < (right.client, right.port)
  }

  /// Creates the address of the sender of a received event, from the event's `track`.
  public init(track: UInt16) {
    self.init(client: UInt8(track >> 8), port: UInt8(track & 0xFF))
  }

  /// The address as one number.
  ///
  /// Input ports store it in the `track` of received events.
  public var track: UInt16 { UInt16(client) << 8 | UInt16(port) }
}

extension EndpointAddress: CustomStringConvertible {
  /// The two numbers as ALSA's tools write them, such as `14:0`.
  public var description: String { "\(client):\(port)" }
}

/// A connection in the ALSA sequencer, from a source to a destination.
public struct EndpointConnection: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The port that sends.
  public let source: EndpointAddress
  /// The port that receives.
  public let destination: EndpointAddress

  /// Creates a connection from its two ends.
  public init(source: EndpointAddress, destination: EndpointAddress) {
    self.source = source
    self.destination = destination
  }

  /// Returns true if the left connection precedes the right one in lists.
  public static func < (left: EndpointConnection, right: EndpointConnection) -> Bool {
    (left.source, left.destination) < (right.source, right.destination)
  }
}

extension EndpointConnection: CustomStringConvertible {
  /// The two addresses with an arrow between them, such as `14:0 -> 128:0`.
  public var description: String { "\(source) -> \(destination)" }
}
