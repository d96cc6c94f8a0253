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
    case .foreign: "datagram: none of Ableton Link"
    case .unknownKind(let kind): "datagram of Link: kind \(kind) is unknown"
    case .cut: "datagram of Link: an entry goes past its end"
    case .badEntry(let key): "datagram of Link: entry \(String(key, radix: 16)): not its size"
    }
  }
}
