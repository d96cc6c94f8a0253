// SPDX-License-Identifier: Apache-2.0

/// Assigns addresses to endpoints of a system that has only names for them, such as JACK.
///
/// A name keeps its address until the process ends. If a port disappears and returns, events before
/// and after therefore have the same sender.
public struct EndpointNumbering: Sendable {
  /// The range of client numbers of each kind.
  private static let clients: [PortKind: ClosedRange<UInt8>] = [
    .alsa: 0...191, .rtp: 192...207, .jack: 208...239, .loopback: 240...247,
  ]

  /// The client numbers of a kind's endpoints.
  static func clients(of kind: PortKind) -> ClosedRange<UInt8> { clients[kind] ?? 248...255 }

  private let range: ClosedRange<UInt8>
  private var known: [String: EndpointAddress] = [:]

  /// Creates a numbering for the endpoints of one kind of port.
  ///
  /// Kinds that are not defined by this package use client numbers 248…255.
  public init(_ kind: PortKind) {
    range = Self.clients(of: kind)
  }

  /// Returns the address of a name, which is assigned at the first call.
  ///
  /// Use the names of device and port together, and the same name for both directions. Each client
  /// number has room for 256 names; further names share the last address.
  public mutating func address(of name: String) -> EndpointAddress {
    if let address = known[name] { return address }
    let index = min(known.count, range.count * 256 - 1)
    let address = EndpointAddress(
      client: range.lowerBound + UInt8(index / 256), port: UInt8(index % 256))
    known[name] = address
    return address
  }
}
