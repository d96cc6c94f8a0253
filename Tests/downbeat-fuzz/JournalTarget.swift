// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import RTPMIDI
import TestSupport

/// Packets of RTP-MIDI, damaged: what is read of them can be written, and no journal makes more work
/// than its octets and what sounds are worth.
struct JournalTarget: FuzzTarget {
  private let scene: FuzzScene
  private var sender = JournalSender(sequence: 0)
  private var receiver = JournalReceiver()
  private var (read, mended) = (0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(read) packets read, \(mended) messages mended" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = try datagram(&random)
    if Int.random(in: 0..<3, using: &random) > 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    if SessionMessage.begins(bytes) {
      do throws(PacketError) {
        let message = try SessionMessage(parsing: bytes)
        try Self.expectSame(message)
      } catch { return }
      return
    }
    let packet: DataPacket
    do throws(PacketError) { packet = try DataPacket(parsing: bytes) } catch { return }
    read += 1
    if let octets = packet.journal {
      do throws(PacketError) {
        let journal = try Journal(parsing: octets)
        _ = journal.encoded
      } catch {}
    }
    if let outcome = receiver.receive(packet) {
      mended += outcome.mending.count
      try FuzzFault.unless(outcome.mending.count <= 40_000, "too much to mend")
    }
    if Int.random(in: 0..<3_000, using: &random) == 0 {
      (sender, receiver) = (JournalSender(sequence: packet.sequence), JournalReceiver())
    }
  }

  private static func expectSame(_ message: SessionMessage) throws(PacketError) {
    _ = try SessionMessage(parsing: message.encoded)
  }

  private mutating func datagram(_ random: inout SplitMix) throws -> [UInt8] {
    let source = UInt32.random(in: 0...3, using: &random)
    let party = SessionParty(token: source, source: source, name: "a\u{1B}b")
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return SessionMessage.invitation(party).encoded
    case 1: return SessionMessage.clock(source: source, ClockExchange(step: 1, asked: 9)).encoded
    default:
      let commands = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let status = UInt8.random(in: 0x80...0xFF, using: &random)
        let data = UInt8.random(in: 0...127, using: &random)
        return status == 0xF0 || status == 0xF7
          ? PacketCommand(.sysEx([data, 1], opens: status == 0xF0, closes: true))
          : PacketCommand(
            delay: UInt32(data),
            .message(Message(status: Self.defined(status), data1: data, data2: 127 - data)))
      }
      if Int.random(in: 0..<4, using: &random) == 0 { sender.acknowledge(sender.sequence &- 1) }
      return try sender.packet(commands, time: UInt32(read), source: 5).encoded()
    }
  }

  private static func defined(_ status: UInt8) -> UInt8 {
    [0xF4, 0xF5, 0xF9, 0xFD].contains(status) ? 0xF8 : status
  }
}
