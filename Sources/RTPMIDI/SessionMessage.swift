// SPDX-License-Identifier: Apache-2.0

/// A control message between the peers of an RTP-MIDI session.
///
/// Source: Apple, MIDI Network Driver Protocol.
package enum SessionMessage: Hashable, Sendable {
  /// `IN`: invites a peer to a session.
  case invitation(SessionParty)
  /// `OK`: accepts an invitation.
  case accepted(SessionParty)
  /// `NO`: refuses an invitation.
  case refused(SessionParty)
  /// `BY`: ends the session; the name is not sent.
  case farewell(SessionParty)
  /// `CK`: compares the clocks.
  case clock(source: UInt32, ClockExchange)
  /// `RS`: acknowledges all packets up to a sequence number.
  case received(source: UInt32, sequence: UInt16)
  /// `RL`: limits the bits per second.
  case bitRate(source: UInt32, bitsPerSecond: UInt32)
}

extension SessionMessage {
  /// Returns true if a datagram begins like a session message; data packets never do.
  package static func begins(_ datagram: [UInt8]) -> Bool { datagram.starts(with: [0xFF, 0xFF]) }

  /// Decodes a datagram.
  ///
  /// Bytes after the last field are ignored.
  ///
  /// - Throws: `PacketError.notASessionMessage`, `wrongVersion` and `tooShort`.
  package init(parsing datagram: [UInt8]) throws(PacketError) {
    var reader = OctetReader(datagram)
    guard Self.begins(datagram) else { throw .notASessionMessage }
    _ = try reader.take(UInt16.self)
    let word = try reader.take(UInt16.self)
    switch word {
    case Word.invitation: self = .invitation(try Self.party(&reader))
    case Word.accepted: self = .accepted(try Self.party(&reader))
    case Word.refused: self = .refused(try Self.party(&reader))
    case Word.farewell: self = .farewell(try Self.party(&reader))
    case Word.clock:
      let source = try reader.take(UInt32.self)
      let step = try reader.take(UInt8.self)
      guard step < 3 else { throw .notASessionMessage }
      _ = try reader.take(count: 3)
      var exchange = ClockExchange(step: step, asked: try reader.take(UInt64.self))
      exchange.answered = try reader.take(UInt64.self)
      exchange.heard = try reader.take(UInt64.self)
      self = .clock(source: source, exchange)
    case Word.received:
      let source = try reader.take(UInt32.self)
      self = .received(source: source, sequence: try reader.take(UInt16.self))
    case Word.bitRate:
      let source = try reader.take(UInt32.self)
      self = .bitRate(source: source, bitsPerSecond: try reader.take(UInt32.self))
    default: throw .notASessionMessage
    }
  }

  /// The encoded datagram.
  package var encoded: [UInt8] {
    switch self {
    case .invitation(let party): Self.octets(Word.invitation, party)
    case .accepted(let party): Self.octets(Word.accepted, party)
    case .refused(let party): Self.octets(Word.refused, party)
    case .farewell(let party): Self.octets(Word.farewell, party)
    case .clock(let source, let exchange): Self.octets(source, exchange)
    case .received(let source, let sequence):
      Self.octets(Word.received, source, UInt32(sequence) << 16)
    case .bitRate(let source, let bits): Self.octets(Word.bitRate, source, bits)
    }
  }

  private enum Word {
    static let invitation: UInt16 = 0x494E
    static let accepted: UInt16 = 0x4F4B
    static let refused: UInt16 = 0x4E4F
    static let farewell: UInt16 = 0x4259
    static let clock: UInt16 = 0x434B
    static let received: UInt16 = 0x5253
    static let bitRate: UInt16 = 0x524C
  }

  private static func party(_ reader: inout OctetReader) throws(PacketError) -> SessionParty {
    let version = try reader.take(UInt32.self)
    guard version == 2 else { throw .wrongVersion(version) }
    let token = try reader.take(UInt32.self)
    let source = try reader.take(UInt32.self)
    let name = reader.rest.prefix { $0 != 0 }
    return SessionParty(token: token, source: source, name: String(decoding: name, as: UTF8.self))
  }

  private static func start(_ word: UInt16) -> [UInt8] {
    var octets: [UInt8] = [0xFF, 0xFF]
    octets.append(highFirst: word)
    return octets
  }

  private static func octets(_ word: UInt16, _ party: SessionParty) -> [UInt8] {
    var octets = start(word)
    octets.append(highFirst: 2 as UInt32)
    octets.append(highFirst: party.token)
    octets.append(highFirst: party.source)
    guard word != Word.farewell, !party.name.isEmpty else { return octets }
    return octets + party.name.utf8.prefix { $0 != 0 } + [0]
  }

  private static func octets(_ source: UInt32, _ exchange: ClockExchange) -> [UInt8] {
    var octets = start(Word.clock)
    octets.append(highFirst: source)
    octets += [exchange.step, 0, 0, 0]
    for time in [exchange.asked, exchange.answered, exchange.heard] {
      octets.append(highFirst: time)
    }
    return octets
  }

  private static func octets(_ word: UInt16, _ source: UInt32, _ value: UInt32) -> [UInt8] {
    var octets = start(word)
    octets.append(highFirst: source)
    octets.append(highFirst: value)
    return octets
  }
}
