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
    case .tooShort: "datagram: ends inside a field"
    case .notASessionMessage: "datagram: not a session message"
    case .wrongVersion(let version): "datagram: session protocol version \(version), expected 2"
    case .notRTPMIDI: "datagram: not an RTP-MIDI packet"
    case .badCommand(let place): "datagram: invalid octet \(place) in the MIDI commands"
    case .badJournal: "datagram: invalid journal length"
    case .tooLong(let octets): "packet: the MIDI commands have \(octets) octets (at most 4095)"
    case .delayTooLong: "packet: a delay does not fit in 28 bits"
    }
  }
}
