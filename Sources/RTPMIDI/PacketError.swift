// SPDX-License-Identifier: Apache-2.0

/// Why a datagram is no packet of RTP-MIDI, or a packet cannot be written.
package enum PacketError: Error, Hashable {
  /// It ends inside a field.
  case tooShort
  /// It begins as no message of a session does, or has a command that is not known.
  case notASessionMessage
  /// The session speaks another version than 2.
  case wrongVersion(UInt32)
  /// The header is none of RTP with MIDI inside.
  case notRTPMIDI
  /// The journal has a length that cannot be.
  case badJournal
  /// The list of commands has an octet where none may stand.
  case badCommand(place: Int)
  /// The list of commands would be longer than 4,095 octets.
  case tooLong(octets: Int)
  /// A delay is longer than 28 bits can say.
  case delayTooLong
}

extension PacketError: CustomStringConvertible {
  /// The sentence for the user.
  package var description: String {
    switch self {
    case .tooShort: "datagram: it ends inside a field"
    case .notASessionMessage: "datagram: it is no message of a MIDI session"
    case .wrongVersion(let version): "datagram: version \(version) of the session, not 2"
    case .notRTPMIDI: "datagram: it is no packet of MIDI over RTP"
    case .badCommand(let place): "datagram: octet \(place) of its commands has no meaning there"
    case .badJournal: "datagram: its journal has a length that cannot be"
    case .tooLong(let octets): "packet: its commands take \(octets) octets, at most 4095 fit"
    case .delayTooLong: "packet: a delay is longer than 28 bits can say"
    }
  }
}
