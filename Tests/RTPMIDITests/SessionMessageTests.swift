// SPDX-License-Identifier: Apache-2.0
import RTPMIDI
import Testing

@Suite struct SessionMessageTests {
  private static let party = SessionParty(token: 0x0102_0304, source: 0x0506_0708, name: "Studio é")
  private static let messages: [SessionMessage] = [
    .invitation(party), .accepted(party), .refused(SessionParty(token: 1, source: 2)),
    .farewell(SessionParty(token: 1, source: 2)),
    .clock(source: 9, ClockExchange(step: 2, asked: 1, answered: .max, heard: 1 << 40)),
    .received(source: 9, sequence: 65_535), .bitRate(source: 9, bitsPerSecond: 31_250),
  ]

  @Test func `messages have the octets of the protocol`() {
    #expect(
      SessionMessage.invitation(SessionParty(token: 1, source: 2, name: "A")).encoded == [
        0xFF, 0xFF, 0x49, 0x4E, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0x41, 0,
      ])
    #expect(
      SessionMessage.received(source: 1, sequence: 0x0203).encoded == [
        0xFF, 0xFF, 0x52, 0x53, 0, 0, 0, 1, 2, 3, 0, 0,
      ])
    #expect(Self.messages[4].encoded.count == 36)
    #expect(Self.messages[3].encoded.count == 16)
  }

  @Test(arguments: messages) func `what is written is read`(message: SessionMessage) throws {
    #expect(try SessionMessage(parsing: message.encoded) == message)
    // A name may be left out; nothing else.
    let needed = min(message.encoded.count, 16)
    let least = if case .received = message { 10 } else { needed }
    for count in 0..<least {
      #expect(throws: PacketError.self) {
        try SessionMessage(parsing: Array(message.encoded.prefix(count)))
      }
    }
  }

  @Test func `another version and unknown words are refused`() {
    var octets = Self.messages[0].encoded
    octets[7] = 3
    #expect(throws: PacketError.wrongVersion(3)) { try SessionMessage(parsing: octets) }
    octets[3] = 0
    #expect(throws: PacketError.notASessionMessage) { try SessionMessage(parsing: octets) }
    octets[0] = 0x80
    #expect(throws: PacketError.notASessionMessage) { try SessionMessage(parsing: octets) }
  }

  @Test func `an exchange gives the offset and the latency of the clocks`() {
    let exchange = ClockExchange(step: 2, asked: 1_000, answered: 5_015, heard: 1_021)
    #expect(exchange.offset == .microseconds(400_450))
    #expect(exchange.latency == .microseconds(1_050))
  }
}
