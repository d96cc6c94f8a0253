// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import MusicalTime
import RTPMIDI
import TestSupport
import Testing

/// Datagrams that ask for more than their octets are worth.
@Suite struct JournalBoundTests {
  /// A packet whose journal has a log of increments for each entry of a list, on some channels.
  static func packet(
    _ logs: [(low: UInt8, steps: Int)], channels: UInt8, sequence: UInt16, source: UInt32 = 2
  ) -> [UInt8] {
    func twoOctets(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    var list: [UInt8] = []
    for log in logs {
      list += [log.low | 0x80, 0x20] + twoOctets((log.steps < 0 ? 0x8000 : 0) | abs(log.steps))
    }
    // All registered, their high halves 0 and left out.
    let chapter = twoOctets(0x9400 | (list.count + 2)) + list
    var octets: [UInt8] = [0x80, 0x61] + twoOctets(Int(sequence)) + [0, 0, 0, 1]
    octets += [24, 16, 8, 0].map { UInt8(source >> $0 & 0xFF) }
    octets += [0x40, 0x20 | (channels - 1)] + twoOctets(Int(sequence))
    for channel in 0..<channels {
      octets += twoOctets(0x8000 | Int(channel) << 11 | (list.count + 5)) + [0x20]
      octets += chapter
    }
    return octets
  }

  @Test func `the last of many logs of one parameter counts, with bounded steps`() throws {
    let logs = (0..<248).map { (low: UInt8(5), steps: $0 % 2 == 0 ? 16_383 : -16_383) }
    let datagram = Self.packet(logs, channels: 2, sequence: 1)
    #expect(datagram.count == 2_010)
    var receiver = JournalReceiver()
    let received = receiver.receive(try DataPacket(parsing: datagram))
    let outcome = try #require(received)
    // For each channel the number's two halves, its decrements, and the null parameter: nothing
    // is chosen in the end.
    let decrement = PacketCommand.Content.message(Message(status: 0xB0, data1: 97, data2: 0))
    #expect(outcome.mending.count == 2 * (2 + 127 + 2))
    #expect(outcome.mending.count { $0 == decrement } == 127)
  }

  @Test func `a journal that asks for too much counts as damaged, and notes are released`() throws {
    var receiver = JournalReceiver()
    let note = PacketCommand(.message(.noteOn(1, 60, velocity: 90)))
    _ = receiver.receive(DataPacket(sequence: 1, time: 0, source: 2, commands: [note]))
    let logs = (0..<120 as Range<UInt8>).map { (low: $0, steps: $0 % 2 == 0 ? 127 : -16_383) }
    let datagram = Self.packet(logs, channels: 4, sequence: 9)
    let received = receiver.receive(try DataPacket(parsing: datagram))
    let outcome = try #require(received)
    #expect(outcome.mending == [.message(.noteOff(1, 60))])
    // The next journal is used for repairs again.
    let next = Self.packet([(low: 3, steps: 2)], channels: 1, sequence: 19)
    #expect(receiver.receive(try DataPacket(parsing: next))?.mending.count == 6)
  }

  @Test func `messages that a journal repairs count as received`() throws {
    var network = SimulatedSessions(seed: 6)
    network.add("one")
    network.add("two")
    network.invite(1, by: 0)
    network.run(0.1)
    let one = network.stations[0].node.source
    for sequence in 1...300 as ClosedRange<UInt16> {
      let steps = sequence % 2 == 0 ? 127 : -127
      let logs = (0..<10 as Range<UInt8>).map { (low: $0, steps: steps) }
      let datagram = Self.packet(logs, channels: 1, sequence: 2 * sequence, source: one)
      network.inject(datagram, to: 1, from: SimulatedSessions.address(0, .music), .music)
      network.run(0.001)
    }
    let station = network.stations[1]
    #expect(station.facts.contains { if case .flooded = $0 { true } else { false } })
    // Two seconds' worth at most; all of it would be 760,000.
    #expect(station.events.count < 2 * (262_144 / 3 + JournalReceiver.mostMended))
    #expect(station.events.count > JournalReceiver.mostMended)
  }

  /// The processor time of this thread, in seconds.
  private var time: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `messages for the future do not slow down later messages`() throws {
    var network = SimulatedSessions(seed: 9)
    for name in ["one", "two", "three"] { network.add(name) }
    network.invite(1, by: 0)
    network.invite(1, by: 2)
    network.run(0.1)
    #expect(network.stations[1].node.joinedCount == 2)
    let start = time
    // The first guest's are all stamped as far ahead as stamps count, the other's with now.
    for (station, packets) in [(0, 10), (2, 4)] {
      let source = network.stations[station].node.source
      for sequence in 1...packets {
        let commands = (0..<1200).map { index in
          PacketCommand(
            delay: station == 0 && index < 10 ? 0x0FFF_FFFF : 0,
            .message(
              Message(status: 0xB0 | UInt8(station), data1: 7, data2: UInt8(index % 128))))
        }
        let packet = DataPacket(
          sequence: UInt16(sequence), time: 0, source: source, commands: commands)
        network.inject(
          try packet.encoded(), to: 1, from: SimulatedSessions.address(station, .music), .music)
      }
    }
    network.run(3)
    // 12,000 exchanges for each message took a minute.
    #expect(time - start < 15)
    let channels = network.stations[1].events.compactMap { event -> UInt8? in
      guard case .message(let message) = event.content else { return nil }
      return message.status & 0x0F
    }
    #expect(channels.count { $0 == 0 } == 12_000 && channels.count { $0 == 2 } == 4800)
    #expect(channels.lastIndex(of: 2) ?? .max < (channels.lastIndex(of: 0) ?? 0))
    let times = network.stations[1].events.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
