// SPDX-License-Identifier: Apache-2.0

/// Where a port is now: its client's number and its own.
///
/// Numbers change when a device comes back; `EndpointIdentity` is what lasts. ALSA's clients have the
/// numbers 0…191. Ports of other kinds have numbers above those (`EndpointNumbering`), by which
/// received events tell their senders, and which nobody types.
public struct EndpointAddress: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The client's number.
  public let client: UInt8
  /// The port's number within its client.
  public let port: UInt8

  /// Creates an address.
  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// Whether an address comes before another in lists.
  public static func < (left: EndpointAddress, right: EndpointAddress) -> Bool {
    (left.client, left.port) < (right.client, right.port)
  }

  /// The sender of an event that an input port brought: its `track` holds the address.
  public init(track: UInt16) {
    self.init(client: UInt8(track >> 8), port: UInt8(track & 0xFF))
  }

  /// The address in a number, as an input port puts it into an event's `track`.
  public var track: UInt16 { UInt16(client) << 8 | UInt16(port) }
}

extension EndpointAddress: CustomStringConvertible {
  /// The two numbers as every ALSA tool writes them: `14:0`.
  public var description: String { "\(client):\(port)" }
}

/// A subscription in the kernel: what a source sends reaches a destination.
public struct EndpointConnection: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The port that sends.
  public let source: EndpointAddress
  /// The port that receives.
  public let destination: EndpointAddress

  /// Names a connection.
  public init(source: EndpointAddress, destination: EndpointAddress) {
    self.source = source
    self.destination = destination
  }

  /// Whether a connection comes before another in lists.
  public static func < (left: EndpointConnection, right: EndpointConnection) -> Bool {
    (left.source, left.destination) < (right.source, right.destination)
  }
}

extension EndpointConnection: CustomStringConvertible {
  /// The two addresses with an arrow between.
  public var description: String { "\(source) -> \(destination)" }
}
