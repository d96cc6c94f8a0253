// SPDX-License-Identifier: Apache-2.0

/// An error of decoding or encoding a packet.
package enum PacketError: Error, Hashable {
  /// The datagram ends inside a field.
  case tooShort
  /// The datagram does not begin like a session message, or has an unknown command.
  case notASessionMessage
  /// The session protocol has a version other than 2.
  case wrongVersion(UInt32)
  /// The header is not an RTP header for MIDI.
  case notRTPMIDI
  /// The journal has an invalid length.
  case badJournal
  /// The command list has an invalid byte.
  case badCommand(place: Int)
  /// The command list would be longer than 4,095 bytes.
  case tooLong(octets: Int)
  /// A delay does not fit in 28 bits.
  case delayTooLong
}

extension PacketError: CustomStringConvertible {
  /// The text of the error message.
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
