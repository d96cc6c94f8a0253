// SPDX-License-Identifier: Apache-2.0

/// An error in a datagram.
package enum LinkError: Error, Hashable, Sendable {
  /// It is too short, or does not begin like a datagram of Link.
  case foreign
  /// Its type is unknown.
  case unknownKind(UInt8)
  /// An entry extends beyond the end of the datagram.
  case cut
  /// A known entry has the wrong size; the value is its key.
  case badEntry(UInt32)
}

extension LinkError: CustomStringConvertible {
  /// The message for the user.
  package var description: String {
    switch self {
    case .foreign: "datagram: not an Ableton Link message"
    case .unknownKind(let kind): "Link datagram: unknown kind \(kind)"
    case .cut: "Link datagram: an entry runs past the end"
    case .badEntry(let key): "Link datagram: entry \(String(key, radix: 16)) has a wrong size"
    }
  }
}
