// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import RTPMIDI
import TestSupport
import Testing

@Suite struct SessionNodeTests {
  /// Two in a session: the first has invited the second.
  private static func pair(seed: UInt64 = 1, fast: Double = 0) -> SimulatedSessions {
    var network = SimulatedSessions(seed: seed)
    network.add("one")
    network.add("two", fast: fast)
    network.invite(1, by: 0)
    network.run(0.1)
    return network
  }

  private static func isJoined(_ network: SimulatedSessions) -> Bool {
    network.stations.allSatisfy { $0.node.joinedCount == 1 }
  }

  private func names(_ facts: [SessionFact]) -> [String] {
    facts.map { fact in
      switch fact {
      case .joined(let who): "joined \(who.name)"
      case .left(let who): "left \(who.name)"
      case .lost(let who): "lost \(who.name)"
      case .replaced(let who): "replaced \(who.name)"
      case .refused(let who): "refused \(who.name)"
      case .unanswered(let who): "unanswered \(who.name)"
      case .turnedAway(let who): "turned away \(who.name)"
      case .full(let who): "full \(who.name)"
      case .flooded(let who): "flooded \(who.name)"
      }
    }
  }

  @Test func `an invitation is accepted, and both receive the other's name`() {
    var network = Self.pair()
    #expect(Self.isJoined(network))
    #expect(names(network.stations[0].facts) == ["joined two"])
    #expect(names(network.stations[1].facts) == ["joined one"])
    network.run(20)
    #expect(network.stations.allSatisfy { $0.node.standings[0].latency != nil })
    network.act(1) { node, now in node.leave(at: now) }
    network.run(0.01)
    #expect(names(network.stations[0].facts) == ["joined two", "left two"])
    // Invited peers are invited again.
    network.run(3)
    #expect(Self.isJoined(network))
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `two who invite each other are in one session`(seed: UInt64) {
    var network = SimulatedSessions(seed: seed)
    network.add("one")
    network.add("two")
    network.invite(1, by: 0)
    network.invite(0, by: 1)
    network.run(8)
    #expect(network.stations.map { $0.node.standings.count } == [1, 1])
    #expect(Self.isJoined(network))
    network.stations[0].events = []
    network.act(1) { node, now in _ = node.send(.noteOn(1, 60, velocity: 9), at: now) }
    network.run(0.1)
    #expect(network.stations[0].events.count == 1)
  }

  @Test func `a queried peer is reported, but neither joins the other's session`() {
    var network = SimulatedSessions(seed: 77)
    network.add("one")
    network.add("two")
    network.ask(1, by: 0)
    network.run(6)
    for station in network.stations { #expect(station.node.joinedCount == 0) }
    let answers = network.stations[0].facts.count { if case .joined = $0 { true } else { false } }
    #expect((2...3).contains(answers))
    #expect(network.stations[1].facts.isEmpty)
    #expect(network.stations[1].node.standings.isEmpty)
  }

  @Test func `who does not answer is invited twelve times a second apart, and then less often`() {
    var network = SimulatedSessions(seed: 2)
    network.add("one")
    network.invite(7, by: 0)
    network.run(11.5)
    #expect(network.stations[0].sentCount == 12)
    #expect(network.stations[0].facts.isEmpty)
    network.run(4)
    #expect(names(network.stations[0].facts) == ["unanswered other"])
    network.run(24.5)
    #expect((22...23).contains(network.stations[0].sentCount))
    #expect(network.stations[0].facts.count == 1)
  }

  @Test func `strangers are turned away, and cause no other traffic`() {
    var network = SimulatedSessions(seed: 3)
    let only = SessionRules.Network(.v4(0x0A00_0002), length: 32)
    network.add("one", rules: SessionRules(networks: [only], names: ["two"]))
    network.add("two")
    network.add("three")
    network.add("two")
    for station in 1...3 { network.invite(0, by: station) }
    network.run(2)
    #expect(network.stations.map { $0.node.joinedCount } == [1, 1, 0, 0])
    #expect(
      names(network.stations[0].facts).sorted() == [
        "joined two", "turned away three", "turned away two",
      ])
    #expect(names(network.stations[2].facts) == ["refused other"])
    network.run(60)
    // Each is reported only once.
    #expect(network.stations[0].facts.count == 3)
  }

  @Test func `an invitation on the port for music alone is enough`() {
    var network = SimulatedSessions(seed: 4)
    network.add("one")
    let party = SessionParty(token: 7, source: 8, name: "nine")
    network.inject(
      SessionMessage.invitation(party).encoded, to: 0,
      from: SimulatedSessions.address(5, .music), .music)
    #expect(network.stations[0].node.joinedCount == 1)
    #expect(network.stations[0].node.standings[0].partner.address == SimulatedSessions.address(5))
  }

  @Test func `silent peers drop each other after a minute, and rejoin`() {
    var network = Self.pair()
    network.stations[0].hears = false
    network.stations[1].hears = false
    network.act(0) { node, now in _ = node.send(.noteOn(1, 60, velocity: 9), at: now) }
    network.run(58)
    #expect(Self.isJoined(network))
    network.run(13)
    #expect(network.stations.allSatisfy { $0.node.joinedCount == 0 })
    #expect(names(network.stations[0].facts) == ["joined two", "lost two"])
    #expect(names(network.stations[1].facts) == ["joined one", "lost one"])
    network.stations[0].hears = true
    network.stations[1].hears = true
    network.run(3)
    #expect(Self.isJoined(network))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a cut of 20 seconds is survived, and what was missed is there within 3 s`(seed: UInt64) {
    var network = Self.pair(seed: seed)
    network.run(Double(seed) * 0.7 + 1)
    network.act(0) { node, now in _ = node.send(.noteOn(1, 60, velocity: 9), at: now) }
    network.act(1) { node, now in _ = node.send(.noteOn(2, 62, velocity: 9), at: now) }
    network.run(0.1)
    for index in 0..<2 { network.stations[index].hears = false }
    network.run(5)
    network.act(0) { node, now in _ = node.send(.noteOff(1, 60), at: now) }
    network.act(1) { node, now in _ = node.send(.noteOff(2, 62), at: now) }
    network.run(15)
    #expect(network.stations.map(\.events.count) == [1, 1])
    for index in 0..<2 { network.stations[index].hears = true }
    network.run(3)
    #expect(network.stations.map(\.events.count) == [2, 2])
    #expect(network.stations.allSatisfy { $0.facts.count == 1 })
  }

  @Test func `a restarted peer replaces the old one, whose notes end`() {
    var network = Self.pair()
    network.act(0) { node, now in _ = node.send(.noteOn(1, 60, velocity: 9), at: now) }
    network.run(0.1)
    // The same program started again: another number at the same address.
    network.stations[0].node = SessionNode(
      name: "one", seed: 99, at: network.stations[0].clock(network.time))
    network.run(1)
    network.invite(1, by: 0)
    network.run(4)
    #expect(Self.isJoined(network))
    #expect(names(network.stations[1].facts) == ["joined one", "replaced one", "joined one"])
    #expect(
      network.stations[1].events.map(\.content) == [
        .message(.noteOn(1, 60, velocity: 9)), .message(.noteOff(1, 60)),
      ])
  }

  @Test func `wrong tokens, versions and numbers change nothing`() throws {
    var network = Self.pair()
    network.run(20)
    network.act(0) { node, now in _ = node.send(.noteOn(1, 60, velocity: 9), at: now) }
    network.run(1)
    let one = network.stations[0].node.source
    let before = network.stations[1]
    let (control, music) = (SimulatedSessions.address(0), SimulatedSessions.address(0, .music))
    var version = SessionMessage.farewell(SessionParty(token: 1, source: one)).encoded
    version[7] = 3
    let note = PacketCommand(.message(.noteOn(1, 61, velocity: 9)))
    let wrong: [([UInt8], SessionAddress, SessionSide)] = [
      (SessionMessage.farewell(SessionParty(token: 1, source: one)).encoded, control, .control),
      (SessionMessage.farewell(SessionParty(token: 1, source: 5)).encoded, control, .control),
      (SessionMessage.accepted(SessionParty(token: 1, source: one)).encoded, control, .control),
      (SessionMessage.refused(SessionParty(token: 1, source: one)).encoded, control, .control),
      (version, control, .control),
      (SessionMessage.received(source: 5, sequence: 1).encoded, control, .control),
      (SessionMessage.clock(source: 5, ClockExchange(step: 0, asked: 1)).encoded, music, .music),
      (SessionMessage.clock(source: one, ClockExchange(step: 1, asked: 1)).encoded, music, .music),
      (SessionMessage.clock(source: one, ClockExchange(step: 2, asked: 1)).encoded, music, .music),
      (try DataPacket(sequence: 1, time: 1, source: 5, commands: [note]).encoded(), music, .music),
      // The right number from elsewhere.
      (
        try DataPacket(sequence: 1, time: 1, source: one, commands: [note]).encoded(),
        SimulatedSessions.address(9, .music), .music
      ),
    ]
    for (octets, address, side) in wrong { network.inject(octets, to: 1, from: address, side) }
    #expect(network.stations[1].node.standings == before.node.standings)
    #expect(network.stations[1].sentCount == before.sentCount)
    #expect(network.stations[1].events == before.events)
    #expect(network.stations[1].facts == before.facts)
  }

  @Test func `strangers by the thousand are bounded in number and in answers`() {
    var network = SimulatedSessions(seed: 5)
    network.add("one")
    for number in 0..<1_000 as Range<UInt32> {
      let party = SessionParty(token: number, source: number + 1, name: "\u{1B}[2J\(number)")
      network.inject(
        SessionMessage.invitation(party).encoded, to: 0,
        from: SessionAddress(.v4(0x0A01_0000 + number), port: 5_004), .control)
    }
    #expect(network.stations[0].sentCount <= 50)
    #expect(network.stations[0].node.standings.count <= SessionNode.capacity)
    network.run(20)
    #expect(network.stations[0].node.standings.isEmpty)
  }

  @Test func `one address takes eight seats at most, and another still joins`() {
    var network = SimulatedSessions(seed: 5)
    network.add("one")
    for number in 0..<20 as Range<UInt32> {
      let party = SessionParty(token: number, source: number + 1, name: "\(number)")
      let port = 5_005 + 2 * UInt16(number)
      network.inject(
        SessionMessage.invitation(party).encoded, to: 0,
        from: SessionAddress(.v4(0x0A00_0009), port: port), .music)
    }
    #expect(network.stations[0].node.joinedCount == 8)
    let full = network.stations[0].facts.filter { if case .full = $0 { true } else { false } }
    #expect(full.count == 12)
    network.add("two")
    network.invite(0, by: 1)
    network.run(0.1)
    #expect(network.stations[0].node.joinedCount == 9)
  }

  @Test func `a flood is cut off and reported once`() throws {
    var network = Self.pair()
    let one = network.stations[0].node.source
    let music = SimulatedSessions.address(0, .music)
    let note = PacketCommand(.message(.noteOn(1, 61, velocity: 9)))
    let commands = Array(repeating: note, count: 400)
    for sequence in 0..<1_000 as Range<UInt16> {
      let packet = DataPacket(sequence: sequence, time: 1, source: one, commands: commands)
      network.inject(try packet.encoded(), to: 1, from: music, .music)
    }
    network.run(0.1)
    #expect(names(network.stations[1].facts) == ["joined one", "flooded one"])
    #expect(network.stations[1].events.count < 140_000)
  }

  @Test func `what is ahead is sent 5 ms before, together within a millisecond, and sounds then`() {
    var network = Self.pair(seed: 6, fast: 80)
    network.run(30)
    let begin = network.stations[0].clock(network.time)
    let sent = network.stations[0].node.standings[0].sentCount
    network.act(0) { node, now in
      for index in 0..<40 as Range<Int64> {
        // Two within a millisecond each time.
        let time = now.advanced(
          byNanoseconds: 100_000_000 + index / 2 * 20_000_000 + index % 2 * 700_000)
        _ = node.send(.noteOn(1, 60, velocity: UInt8(index + 1)), at: time)
      }
    }
    network.run(0.09)
    #expect(network.stations[1].events.isEmpty)
    network.run(1)
    #expect(network.stations[1].events.count == 40)
    // The other packets are guards, which repeat the last messages.
    #expect(network.stations[0].node.standings[0].sentCount - sent <= 24)
    for (index, event) in network.stations[1].events.enumerated() {
      let ideal =
        begin.nanoseconds + 105_000_000 + Int64(index / 2) * 20_000_000
        + Int64(index % 2) * 700_000
      let heard = network.stations[1].truth(event.time) + Double(network.stations[0].start)
      #expect(abs(heard - Double(ideal)) < 250_000, "\(index)")
    }
  }

  @Test func `what is taken back is not sent, and silence ends what was`() {
    var network = Self.pair()
    network.act(0) { node, now in
      _ = node.send(.noteOn(1, 60, velocity: 9), at: now)
      _ = node.send(.noteOn(1, 61, velocity: 9), at: now.advanced(byNanoseconds: 50_000_000))
      node.cancel(from: now.advanced(byNanoseconds: 40_000_000))
    }
    network.run(0.2)
    #expect(network.stations[1].events.map(\.content) == [.message(.noteOn(1, 60, velocity: 9))])
    network.act(0) { node, now in node.silence(at: now) }
    network.run(0.2)
    let contents = network.stations[1].events.map(\.content)
    #expect(contents.contains(.message(.noteOff(1, 60))))
    #expect(contents.contains(.message(.control(1, .allSoundOff, value: 0))))
  }
}
