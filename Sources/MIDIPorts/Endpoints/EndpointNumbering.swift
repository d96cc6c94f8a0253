// SPDX-License-Identifier: Apache-2.0

/// Numbers for the endpoints of a provider whose system has only names.
///
/// A name has the same number as long as the process lives, so that what was received before a port
/// went away and after it came back has one sender.
public struct EndpointNumbering: Sendable {
  /// A range for each kind.
  private static let clients: [PortKind: ClosedRange<UInt8>] = [
    .alsa: 0...191, .rtp: 192...207, .jack: 208...239, .loopback: 240...247,
  ]

  /// The client numbers of a kind's endpoints.
  static func clients(of kind: PortKind) -> ClosedRange<UInt8> { clients[kind] ?? 248...255 }

  private let range: ClosedRange<UInt8>
  private var known: [String: EndpointAddress] = [:]

  /// Begins to number the endpoints of a kind; those of kinds that are not this package's have
  /// the client numbers 248…255.
  public init(_ kind: PortKind) {
    range = Self.clients(of: kind)
  }

  /// The address of a name: of a device and a port together, for both directions.
  ///
  /// A kind has room for 256 names for each of its client numbers; any more share the last address.
  public mutating func address(of name: String) -> EndpointAddress {
    if let address = known[name] { return address }
    let index = min(known.count, range.count * 256 - 1)
    let address = EndpointAddress(
      client: range.lowerBound + UInt8(index / 256), port: UInt8(index % 256))
    known[name] = address
    return address
  }
}
