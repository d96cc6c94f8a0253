// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import RTPMIDI
import Testing

/// SysEx between two parties: long messages, what waits behind them, and parts.
@Suite struct SessionSysExTests {
  private static let clock = Message(status: 0xF8)

  private static func pair(sysExSpeed: Int? = nil) -> SimulatedSessions {
    var network = SimulatedSessions(seed: 1)
    network.add("one", sysExSpeed: sysExSpeed)
    network.add("two")
    network.invite(1, by: 0)
    network.run(0.1)
    return network
  }

  private static func sysEx(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 128) } }

  private static func note(_ key: Key) -> Message { .noteOn(1, key, velocity: 9) }

  /// The received events of the second node, for example `SysEx 2000` (with the bytes of `sysEx`),
  /// `F8` or `note 60`.
  private func contents(_ network: SimulatedSessions) -> [String] {
    network.stations[1].events.map { Self.word($0.content) }
  }

  private static func word(_ content: SessionEvent.Content) -> String {
    switch content {
    case .sysEx(let inside) where inside.count < 10: "\(inside)"
    case .sysEx(let inside):
      "\(inside == sysEx(inside.count) ? "" : "damaged ")SysEx \(inside.count)"
    case .message(let message) where message.status == 0x90: "note \(message.data1)"
    case .message(let message): "\(String(message.status, radix: 16, uppercase: true))"
    }
  }

  @Test func `20 kB leave as fast as the window allows, and notes wait in order`() {
    var network = Self.pair()
    let long = Self.sysEx(20_000)
    network.act(0) { node, now in
      let isTaken = node.send(sysEx: long, at: now)
      #expect(isTaken)
      for index in 0..<10 as Range<Int64> {
        let time = now.advanced(byNanoseconds: 1_000_000 * (index + 1))
        _ = node.send(Self.note(Key(UInt8(60 + index))), at: time)
      }
      #expect(node.sysExProgress.total == 20_002)
    }
    network.run(0.15)
    #expect(contents(network) == ["SysEx 20000"] + (60..<70).map { "note \($0)" })
    #expect(network.stations[0].node.sysExProgress == (0, 0))
    var delay: Int64 = 0
    network.act(0) { node, _ in delay = node.takeSysExDelay() }
    #expect((1...150_000_000).contains(delay))
    network.act(0) { node, _ in delay = node.takeSysExDelay() }
    #expect(delay == 0)
  }

  @Test func `a megabyte stays within the window, and clocks are sent between its segments`() {
    var network = Self.pair()
    let long = Self.sysEx(1 << 20)
    network.act(0) { node, now in
      let isTaken = node.send(sysEx: long, at: now)
      #expect(isTaken)
      for index in 0..<200 as Range<Int64> {
        _ = node.send(Self.clock, at: now.advanced(byNanoseconds: 20_000_000 * index))
      }
      _ = node.send(Self.note(60), at: now)
    }
    let begin = network.stations[1].clock(network.time)
    network.run(12)
    let events = network.stations[1].events
    #expect(contents(network).suffix(2) == ["SysEx 1048576", "note 60"])
    #expect(events.count == 202)
    for (index, event) in events.prefix(200).enumerated() {
      let late = event.time.nanoseconds(since: begin) - 20_000_000 * Int64(index)
      #expect((0..<20_000_000).contains(late), "\(index)")
    }
    #expect(
      !network.stations[1].facts.contains { if case .flooded = $0 { true } else { false } })
  }

  @Test func `at a cable's speed two long ones take theirs, one after the other`() {
    var network = Self.pair(sysExSpeed: 3_125)
    let long = Self.sysEx(2_000)
    network.act(0) { node, now in
      for _ in 0..<2 {
        let isTaken = node.send(sysEx: long, at: now)
        #expect(isTaken)
      }
      _ = node.send(Self.note(60), at: now)
      _ = node.send(Self.clock, at: now)
    }
    network.run(0.5)
    #expect(contents(network) == ["F8"])
    network.run(0.3)
    #expect(contents(network) == ["F8", "SysEx 2000"])
    network.run(0.7)
    #expect(contents(network) == ["F8", "SysEx 2000", "SysEx 2000", "note 60"])
  }

  @Test func `a SysEx in progress is finished when later messages are cancelled`() {
    var network = Self.pair(sysExSpeed: 3_125)
    let long = Self.sysEx(2_000)
    network.act(0) { node, now in
      _ = node.send(sysEx: long, at: now)
      _ = node.send(Self.note(60), at: now)
      _ = node.send(Self.note(61), at: now.advanced(byNanoseconds: 300_000_000))
    }
    network.run(0.2)
    network.act(0) { node, now in node.cancel(from: now) }
    network.run(1)
    #expect(contents(network) == ["SysEx 2000", "note 60"])
  }

  @Test func `one that is taken back itself is not played, and the next one is`() {
    var network = Self.pair(sysExSpeed: 3_125)
    var begin = HostTime.zero
    network.act(0) { node, now in
      begin = now
      _ = node.send(sysEx: Self.sysEx(2_000), at: now)
    }
    network.run(0.2)
    network.act(0) { node, now in
      node.cancel(from: begin)
      #expect(node.sysExProgress == (0, 0))
      _ = node.send(sysEx: [1, 2, 3], at: now)
    }
    network.run(1)
    #expect(contents(network) == ["[1, 2, 3]"])
  }

  @Test(arguments: [nil, 3_125])
  func `a song with a long SysEx has been sent by its last time`(speed: Int?) {
    var network = Self.pair(sysExSpeed: speed)
    let long = Self.sysEx(5_000)
    network.act(0) { node, now in
      _ = node.send(sysEx: long, at: now)
      for key in 60..<70 as Range<UInt8> { _ = node.send(Self.note(Key(key)), at: now) }
    }
    var rounds = 0
    while rounds < 10_000 {
      let node = network.stations[0].node
      let now = network.stations[0].clock(network.time)
      if node.waitingCount == 0, node.lastTime <= now { break }
      network.run(0.001)
      rounds += 1
    }
    network.act(0) { node, now in node.leave(at: now) }
    network.run(0.1)
    let notes = (60..<70).map { "note \($0)" }
    #expect(Array(contents(network).prefix(11)) == ["SysEx 5000"] + notes)
  }

  @Test func `a SysEx whose parts leave one by one is whole with the last`() {
    var network = Self.pair()
    for (bytes, part) in [([1, 2], .first), ([], .middle), ([3, 4], .middle), ([], .last)]
      as [([UInt8], SysExPart)]
    {
      #expect(network.stations[1].events.isEmpty)
      network.act(0) { node, now in _ = node.send(sysEx: bytes, part: part, at: now) }
      network.run(0.2)
    }
    #expect(contents(network) == ["[1, 2, 3, 4]"])
  }

  @Test(arguments: [true, false])
  func `a SysEx that goes on no more is not played, and the next one is`(isSilenced: Bool) {
    var network = Self.pair()
    network.act(0) { node, now in _ = node.send(sysEx: [1], part: .first, at: now) }
    network.run(0.2)
    network.act(0) { node, now in
      if isSilenced {
        node.silence(at: now)
      } else {
        _ = node.send(sysEx: [], part: .abandoned, at: now)
      }
      _ = node.send(sysEx: [2], part: .last, at: now)
      _ = node.send(sysEx: [3], at: now)
    }
    network.run(0.2)
    #expect(contents(network) == ["[3]"])
  }
}
