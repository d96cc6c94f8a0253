// SPDX-License-Identifier: Apache-2.0

/// Why a datagram says nothing.
package enum LinkError: Error, Hashable, Sendable {
  /// It is too short, or does not begin as datagrams of Link do.
  case foreign
  /// It is of a kind that nobody knows.
  case unknownKind(UInt8)
  /// An entry goes past the datagram's end.
  case cut
  /// An entry that is known has another size than it must; the payload is its key.
  case badEntry(UInt32)
}

extension LinkError: CustomStringConvertible {
  /// The sentence for the user.
  package var description: String {
    switch self {
    case .foreign: "datagram: not an Ableton Link message"
    case .unknownKind(let kind): "Link datagram: unknown kind \(kind)"
    case .cut: "Link datagram: an entry runs past the end"
    case .badEntry(let key): "Link datagram: entry \(String(key, radix: 16)) has a wrong size"
    }
  }
}
