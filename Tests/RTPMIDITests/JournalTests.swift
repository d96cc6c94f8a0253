// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import RTPMIDI
import TestSupport
import Testing

@Suite struct JournalTests {
  private static let vector: [UInt8] = [
    0x21, 0x00, 0x01, 0x00, 0x17, 0xDB, 0x28, 0x80, 0x03, 0x01, 0x07, 0x64, 0x40, 0x7F, 0x00, 0x40,
    0x81, 0x78, 0x43, 0xD0, 0x08, 0x80, 0x32, 0x00, 0x43, 0x21, 0x48, 0x07, 0x08, 0x80, 0x45, 0x08,
    0x20,
  ]

  @Test func `a journal that others read has the meaning that they give it`() throws {
    let journal = try Journal(parsing: Self.vector)
    #expect(journal.checkpoint == 1)
    #expect(journal.channels.map(\.channel) == [0, 9])
    let first = try #require(journal.channels.first)
    #expect(first.program?.program.value == 40)
    #expect(first.program?.bank?.low == 3)
    #expect(first.controls.map(\.number.value) == [7, 64])
    #expect(first.controls.map(\.value) == [100, 127])
    #expect(first.bend?.high == 64)
    #expect(first.notes?.logs.map(\.key.value) == [67])
    #expect(first.notes?.released == 1 << 60 | 1 << 64)
    #expect(first.pressure?.value == 50)
    #expect(first.keyPressures.map(\.pressure) == [33])
    #expect(journal.channels.last?.notes?.released == 1 << 36 | 1 << 42)
    // Nothing of the second channel is of the packet just before, which its mark denies.
    var octets = Self.vector
    octets[26] |= 0x80
    #expect(journal.encoded == octets)
  }

  @Test func `a receiver that lost everything is brought to the state of the journal`() throws {
    var receiver = JournalReceiver()
    let packet = DataPacket(sequence: 3, time: 1, source: 2, journal: Self.vector)
    let received = receiver.receive(packet)
    let outcome = try #require(received)
    #expect(
      outcome.mending
        == [
          (0xB0, 0, 0), (0xB0, 32, 3), (0xC0, 40, 0), (0xB0, 7, 100), (0xB0, 64, 127),
          (0xE0, 0, 64), (0xD0, 50, 0), (0xA0, 67, 33), (0x90, 67, 80),
        ].map { .message(Message(status: $0.0, data1: $0.1, data2: $0.2)) })
  }

  @Test func `a journal cut anywhere is refused`() {
    for count in 0..<Self.vector.count {
      #expect(throws: PacketError.self) { try Journal(parsing: Array(Self.vector.prefix(count))) }
    }
  }

  @Test func `a note from before the checkpoint keeps sounding after a loss`() throws {
    var (sender, receiver) = (JournalSender(sequence: 65_530), JournalReceiver())
    let on = PacketCommand(.message(.noteOn(1, 60, velocity: 90)))
    _ = receiver.receive(sender.packet([on], time: 0, source: 1))
    for _ in 0..<4 { _ = receiver.receive(sender.packet([], time: 0, source: 1)) }
    let last = try #require(receiver.lastSequence)
    sender.acknowledge(last)
    let other = PacketCommand(.message(.noteOn(1, 62, velocity: 90)))
    _ = sender.packet([other], time: 10_000, source: 1)
    let outcome = receiver.receive(sender.packet([], time: 10_001, source: 1))
    #expect(outcome?.mending == [other.content])
  }

  @Test(arguments: 0..<20)
  func `whatever is lost, both ends have the same in the end`(seed: UInt64) throws {
    var random = SplitMix(seed: 100 + seed)
    var (sender, receiver) = (JournalSender(sequence: 65_000), JournalReceiver())
    var (player, here, there) = (RandomPlayer(), TestSynth(), TestSynth())
    var (held, time): ([DataPacket], UInt32) = ([], 0)
    func take(_ packet: DataPacket) throws {
      let wire = try packet.encoded()
      #expect(wire.count <= JournalSender.room)
      let read = try DataPacket(parsing: wire)
      guard let outcome = receiver.receive(read) else { return }
      for content in outcome.mending + outcome.commands.map(\.content) { there.play(content) }
    }
    for round in 0..<3_000 {
      time &+= .random(in: 0...300, using: &random)
      var commands = (0..<(round < 2_980 ? Int.random(in: 0...4, using: &random) : 0)).map { _ in
        PacketCommand(player.next(&random))
      }
      if round == 2_980 { commands = player.ends() }
      if round % 50 == 0 { commands += sender.restatement().map { PacketCommand(.message($0)) } }
      for command in commands { here.play(command.content) }
      let packet = sender.packet(commands, time: time, source: 7)
      let isLast = round == 2_999
      let lot = Int.random(in: 0..<100, using: &random)
      if lot < 8, !isLast { continue }
      if lot < 11, !isLast {
        held.append(packet)
        continue
      }
      try take(packet)
      for late in held { try take(late) }
      held = []
      if round % 40 == 0, let last = receiver.lastSequence, lot < 80 { sender.acknowledge(last) }
    }
    #expect(there.sounding == here.sounding)
    #expect(there.sounding.isEmpty)
    #expect(there.state == here.state)
    #expect(there.parameters == here.parameters)
    #expect(receiver.lostCount > 100)
  }
}

/// A synthesiser as simple as can be, which shares no code with what it judges.
struct TestSynth {
  private(set) var sounding: [Int: Int] = [:]
  private(set) var state: [String: Int] = [:]
  private(set) var parameters: [String: Int] = [:]
  private var chosen: [Int: (kind: Int, high: Int, low: Int?)] = [:]

  mutating func play(_ content: PacketCommand.Content) {
    guard case .message(let message) = content else { return }
    let (kind, channel) = (message.status & 0xF0, Int(message.status & 0x0F))
    let (data1, data2) = (Int(message.data1), Int(message.data2))
    let note = channel * 128 + data1
    switch kind {
    case 0x90 where data2 > 0: sounding[note, default: 0] += 1
    case 0x80, 0x90:
      let count = sounding[note] ?? 0
      sounding[note] = count > 1 ? count - 1 : nil
    case 0xA0: state["\(channel) key \(data1)"] = data2
    case 0xB0: control(channel, data1, data2)
    case 0xC0:
      let bank = (state["\(channel) 0"] ?? 0) * 128 + (state["\(channel) 32"] ?? 0)
      state["\(channel) program"] = data1 * 16_384 + bank
    case 0xD0: state["\(channel) pressure"] = data1
    case 0xE0: state["\(channel) bend"] = data1 + 128 * data2
    default: break
    }
  }

  private mutating func control(_ channel: Int, _ number: Int, _ value: Int) {
    let name = chosen[channel].flatMap { choice in
      choice.low.map { "\(channel) \(choice.kind) \(choice.high) \($0)" }
    }
    switch number {
    case 99, 101: chosen[channel] = (number - 1, value, nil)
    case 98, 100:
      let old = chosen[channel]
      let high = old?.kind == number ? old?.high ?? 0 : 0
      chosen[channel] = high == 127 && value == 127 ? nil : (number, high, value)
    case 6: if let name { parameters[name + " 6"] = value * 1_000 }
    case 38: if let name { parameters[name + " 38"] = value }
    case 120, 123...: sounding = sounding.filter { $0.key / 128 != channel }
    case 121:
      for number in [1, 11, 64, 65, 66, 67] { state["\(channel) \(number)"] = 0 }
      state["\(channel) bend"] = nil
      state["\(channel) pressure"] = nil
      for key in 0..<128 { state["\(channel) key \(key)"] = nil }
      chosen[channel] = nil
    // Bank 0 is the initial state: a journal with one half of a bank has the other half as 0.
    case 0, 32: state["\(channel) \(number)"] = value == 0 ? nil : value
    default: state["\(channel) \(number)"] = value
    }
  }
}

/// Plays anything, and knows what to end.
struct RandomPlayer {
  private var begun: [Message] = []

  mutating func next(_ random: inout SplitMix) -> PacketCommand.Content {
    let channel = UInt8([0, 0, 0, 1, 9].randomElement(using: &random) ?? 0)
    let value = UInt8.random(in: 0...127, using: &random)
    func made(_ kind: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> PacketCommand.Content {
      .message(Message(status: kind | channel, data1: data1, data2: data2))
    }
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<10:
      let on = Message(
        status: 0x90 | channel, data1: .random(in: 50...62, using: &random),
        data2: max(1, value))
      // More than eight of one are none of an instrument's.
      guard begun.filter({ $0.status == on.status && $0.data1 == on.data1 }).count < 4 else {
        return .message(Message(status: 0xFE))
      }
      begun.append(on)
      return .message(on)
    case 10..<22:
      guard !begun.isEmpty else { return made(0xB0, 7, value) }
      let on = begun.remove(at: .random(in: 0..<begun.count, using: &random))
      return .message(Message(status: on.status & 0x8F, data1: on.data1, data2: value))
    case 22..<26:
      return made(0xB0, [0, 1, 2, 7, 11, 32, 64].randomElement(using: &random) ?? 1, value)
    case 26: return made(0xC0, value)
    case 27: return made(0xD0, value)
    case 28: return made(0xE0, value, value / 2)
    case 29: return made(0xA0, value % 8, value)
    case 30, 31: return made(0xB0, [99, 101].randomElement(using: &random) ?? 99, value % 3)
    case 32, 33: return made(0xB0, [98, 100].randomElement(using: &random) ?? 98, value % 3)
    case 34, 35: return made(0xB0, [6, 38].randomElement(using: &random) ?? 6, value)
    case 36: return value < 40 ? made(0xB0, 121) : made(0xB0, 10, value)
    case 37:
      guard value < 20 else { return made(0xB0, 91, value) }
      begun.removeAll { $0.status & 0x0F == channel }
      return made(0xB0, 123)
    case 38: return .sysEx([0x7D, value, 3], opens: true, closes: true)
    default:
      return .message(Message(status: [0xF8, 0xFA, 0xFC].randomElement(using: &random) ?? 0xF8))
    }
  }

  mutating func ends() -> [PacketCommand] {
    defer { begun = [] }
    return begun.map {
      PacketCommand(.message(Message(status: $0.status & 0x8F, data1: $0.data1, data2: 64)))
    }
  }
}
