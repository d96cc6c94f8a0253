// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import RTPMIDI
import TestSupport
import Testing

@Suite struct DataPacketTests {
  private static let journal: [UInt8] = [
    0x21, 0x00, 0x01, 0x00, 0x17, 0xDB, 0x28, 0x80, 0x03, 0x01, 0x07, 0x64, 0x40, 0x7F, 0x00, 0x40,
    0x81, 0x78, 0x43, 0xD0, 0x08, 0x80, 0x32, 0x00, 0x43, 0x21, 0x48, 0x07, 0x08, 0x80, 0x45, 0x08,
    0x20,
  ]
  private static let header: [UInt8] = [
    0x80, 0x61, 0x00, 0x03, 0x00, 0x01, 0x88, 0xF8, 0x01, 0x02, 0x03, 0x04,
  ]

  @Test func `a packet that others read has the meaning that they give it`() throws {
    let list: [UInt8] = [0x46, 0x90, 0x43, 0x50, 0x19, 0x48, 0x50]
    let packet = try DataPacket(parsing: Self.header + list + Self.journal)
    #expect(packet.sequence == 3)
    #expect(packet.time == 100_600)
    #expect(packet.source == 0x0102_0304)
    #expect(
      packet.commands == [
        PacketCommand(.message(.noteOn(1, 67, velocity: 80))),
        PacketCommand(delay: 25, .message(.noteOn(1, 72, velocity: 80))),
      ])
    #expect(packet.journal == Self.journal)
    #expect(try packet.encoded() == Self.header + list + Self.journal)
    // The witness wrote the length over two octets, which is read as the short one.
    let long: [UInt8] = [0xC0, 0x06] + list.dropFirst()
    #expect(try DataPacket(parsing: Self.header + long + Self.journal) == packet)
  }

  @Test func `what is written is read`() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<2_000 {
      let packet = DataPacket(
        sequence: .random(in: 0 ... .max, using: &random),
        time: .random(in: 0 ... .max, using: &random),
        source: .random(in: 0 ... .max, using: &random),
        commands: (0..<Int.random(in: 0...20, using: &random)).map { _ in command(&random) },
        journal: Bool.random(using: &random) ? Self.journal : nil)
      #expect(try DataPacket(parsing: packet.encoded()) == packet)
    }
  }

  @Test func `a packet that is cut anywhere is refused`() throws {
    var random = SplitMix(seed: 12)
    let commands = (0..<12).map { _ in command(&random) }
    let whole = try DataPacket(sequence: 1, time: 2, source: 3, commands: commands).encoded()
    for count in 0..<whole.count {
      #expect(throws: PacketError.tooShort) {
        try DataPacket(parsing: Array(whole.prefix(count)))
      }
    }
  }

  @Test func `invalid packets are refused`() {
    let bad: [([UInt8], PacketError)] = [
      ([0x40] + Self.header.dropFirst() + [0], .notRTPMIDI),
      ([0x90] + Self.header.dropFirst() + [0], .notRTPMIDI),
      (Self.header + [0x02, 0x43, 0x50], .badCommand(place: 0)),
      (Self.header + [0x03, 0x90, 0x43, 0x90], .badCommand(place: 2)),
      (Self.header + [0x02, 0xF0, 0x90], .badCommand(place: 1)),
      (Self.header + [0x25, 0x80, 0x80, 0x80, 0x80, 0x00], .badCommand(place: 3)),
    ]
    for (datagram, error) in bad {
      #expect(throws: error) { try DataPacket(parsing: datagram) }
    }
  }

  @Test func `packets that are too long are refused`() {
    let sysEx = PacketCommand(.sysEx(Array(repeating: 1, count: 4_094), opens: true, closes: true))
    #expect(throws: PacketError.tooLong(octets: 4_096)) {
      try DataPacket(sequence: 0, time: 0, source: 0, commands: [sysEx]).encoded()
    }
    let late = PacketCommand(delay: 1 << 28, .message(Message(status: 0xF8)))
    #expect(throws: PacketError.delayTooLong) {
      try DataPacket(sequence: 0, time: 0, source: 0, commands: [late]).encoded()
    }
  }

  private func command(_ random: inout SplitMix) -> PacketCommand {
    let bits = Int.random(in: 0...28, using: &random)
    let delay = UInt32.random(in: 0..<(1 << bits), using: &random)
    let inside = (0..<Int.random(in: 0...9, using: &random)).map { UInt8($0) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return PacketCommand(
        delay: delay,
        .sysEx(inside, opens: .random(using: &random), closes: .random(using: &random)))
    case 1: return PacketCommand(delay: delay, .cancelledSysEx)
    case 2:
      let status: UInt8 =
        [0xF1, 0xF2, 0xF3, 0xF6, 0xF8, 0xFA, 0xFE].randomElement(using: &random) ?? 0xF8
      return PacketCommand(delay: delay, .message(message(status, &random)))
    default:
      return PacketCommand(
        delay: delay, .message(message(.random(in: 0x80...0xEF, using: &random), &random)))
    }
  }

  private func message(_ status: UInt8, _ random: inout SplitMix) -> Message {
    let length = Message(status: status).length
    return Message(
      status: status, data1: length > 1 ? .random(in: 0...127, using: &random) : 0,
      data2: length > 2 ? .random(in: 0...127, using: &random) : 0)
  }
}
