// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import RTPMIDI
import TestSupport

/// Packets of RTP-MIDI, damaged or made to ask for as much as they can: what is read of them can be
/// written, no journal brings about more than its bound and what sounds, and memory stays bounded.
struct JournalTarget: FuzzTarget {
  private let scene: FuzzScene
  private var sender = JournalSender(sequence: 0)
  private var receiver = JournalReceiver()
  private var (read, mended, rounds) = (0, 0, 0)
  private let firstPeak: Int

  /// The most messages of one packet: the bound of a journal, all notes of all channels released
  /// as often as a note counts, and the octets of the system's part.
  private static let most = JournalReceiver.mostMended + 16 * 128 * 8 + 2_048
  /// How many bytes memory may grow over all rounds.
  private static let mostGrowth = 64 << 20

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    firstPeak = try PeakMemory.bytes()
  }

  var tally: String { "\(read) packets read, \(mended) messages mended" }

  mutating func attack(_ random: inout SplitMix) throws {
    rounds += 1
    if rounds % 1_000 == 0 {
      let growth = try PeakMemory.bytes() - firstPeak
      try FuzzFault.unless(growth <= Self.mostGrowth, "memory has grown by \(growth) bytes")
    }
    let isGreedy = Int.random(in: 0..<3, using: &random) == 0
    var bytes = isGreedy ? greedy(&random) : try datagram(&random)
    if Int.random(in: 0..<3, using: &random) > (isGreedy ? 1 : 0) {
      Mutation.damage(&bytes, &random)
    }
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
      try FuzzFault.unless(
        outcome.mending.count <= Self.most, "\(outcome.mending.count) messages to mend")
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

  /// A packet of at most 2,048 octets, behind a gap, whose journal asks for much: many increments,
  /// notes that count as begun often, clocks, resets and SysEx.
  private func greedy(_ random: inout SplitMix) -> [UInt8] {
    let gap = UInt16.random(in: 1...3, using: &random)
    let sequence = (receiver.lastSequence ?? 0) &+ gap
    var octets: [UInt8] = [0x80, 0x61] + Self.twoOctets(Int(sequence)) + [0, 0, 0, 1, 0, 0, 0, 5]
    let hasSystem = Bool.random(using: &random)
    let channels = Int.random(in: 1...16, using: &random)
    octets += [0x40, (hasSystem ? 0x60 : 0x20) | UInt8(channels - 1)]
    octets += Self.twoOctets(Int(sequence))
    if hasSystem { octets += system(&random) }
    for channel in 0..<channels {
      let room = (2_048 - octets.count) / (channels - channel)
      let inside = chapters(min(room, 1_020), &random)
      octets += Self.twoOctets(channel << 11 | (inside.count + 2)) + inside
    }
    return octets
  }

  /// Clocks to be made up for, a reset, and SysEx of one octet, each with a number.
  private func system(_ random: inout SplitMix) -> [UInt8] {
    var inside: [UInt8] = [0x40, .random(in: 0...127, using: &random)]
    inside += [0x70 | .random(in: 0...7, using: &random)]
    inside += Self.twoOctets(.random(in: 0...65_535, using: &random))
    for _ in 0..<Int.random(in: 1...100, using: &random) {
      inside += [0x2F, .random(in: 0...255, using: &random), 0x85]
    }
    return Self.twoOctets(0x5400 | (inside.count + 2)) + inside
  }

  /// A channel's table of contents and chapters: M, or N with E.
  private func chapters(_ room: Int, _ random: inout SplitMix) -> [UInt8] {
    guard room > 16 else { return [0x02, 0] }
    if Bool.random(using: &random) {
      let kinds = Int.random(in: 1...127, using: &random)
      let count = Int.random(in: 1...(room - 8) / 4, using: &random)
      var list: [UInt8] = []
      for index in 0..<count {
        let steps = UInt16.random(in: 0x3F00...0x3FFF, using: &random)
        let sign = UInt16.random(in: 0...1, using: &random) << 15
        list += [UInt8(index % kinds), 0x20] + Self.twoOctets(Int(sign | steps))
      }
      return [0x20] + Self.twoOctets(0x1400 | (list.count + 2)) + list
    }
    let count = min((room - 8) / 4, 126)
    let first = UInt8.random(in: 0...127, using: &random)
    let keys = (0..<UInt8(count)).map { ($0 &+ first) & 0x7F }
    // No key is released.
    return [0x0C, UInt8(count), 0xF1] + keys.flatMap { [$0, 0xE0] }
      + [UInt8(count - 1)] + keys.flatMap { [$0, 0x7F] }
  }

  private static func twoOctets(_ number: Int) -> [UInt8] {
    [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
  }

  private static func defined(_ status: UInt8) -> UInt8 {
    [0xF4, 0xF5, 0xF9, 0xFD].contains(status) ? 0xF8 : status
  }
}
