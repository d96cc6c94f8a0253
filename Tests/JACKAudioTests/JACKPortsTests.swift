// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import CJACK
import MIDIMessages
import MIDIPorts
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// MIDI ports on a server whose cycles a test runs.
  @Suite struct JACKPortsTests {
    private let server: FakeServer
    private let client: JACKClient
    private let ports: JACKPorts

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      server.sources = ["keys:out", "system:midi_capture_1", "Midi-Bridge:Thru"]
      server.destinations = ["organ:in", "organ:low", "system:midi_playback_1"]
      let client = try FakeServer.client()
      self.client = client
      ports = JACKPorts { client }
    }

    private func note(_ key: Int, at time: HostTime) -> HostEvent {
      HostEvent(
        time: time, payload: .message(.noteOn(Channel(index: 0), Key(UInt8(key)), velocity: 1)))
    }

    private func plan() throws -> RenderPlan {
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      return try graph.compile()
    }

    @Test func `ports are found by their clients and names, and a bridge's by their full names`()
      throws
    {
      let system = PortSystem(ports)
      #expect(try system.find("jack:organ:low", .destination).name == "low")
      #expect(try system.find("organ", .destination).fullName == "jack:organ:in")
      #expect(try system.find("jack:system", .source).isHardware)
      #expect(try !system.find("keys", .source).isHardware)
      #expect(throws: EndpointError.self) { try system.find("Thru", .source) }
      #expect(try system.find("jack:Midi-Bridge:Thru", .source).name == "Thru")
      #expect(try system.find("Thru", .source).name == "Thru")
    }

    @Test(arguments: [64, 128, 1_000, 1_024])
    func `10,000 notes at rational times leave in their frames, synchronised with the sound`(
      period: Int
    ) throws {
      let output = JACKOutputUnit(on: client)
      let port = try JACKOutputPort(on: client, name: "out")
      let sink = try #require(output.inLine(port.sink))
      var random = SplitMix(seed: UInt64(period))
      // Up to ten seconds, at whole fractions of a second.
      let times = (0..<10_000).map { _ in
        let below = Int64(random.next() % 9_973 + 1)
        return (Int64(random.next() % UInt64(10 * below)), below)
      }.sorted { $0.0 * $1.1 < $1.0 * $0.1 }
      let expected = times.map { Int($0.0 * 48_000 / $0.1) }
      var events = EventBuffer(capacity: times.count)
      for (index, time) in times.enumerated() {
        let nanoseconds = (Int128(time.0) * 1_000_000_000 + Int128(time.1) - 1) / Int128(time.1)
        events.append(
          TimedEvent(
            time: ReferenceTime(nanoseconds: Int64(nanoseconds)),
            payload: .message(
              .control(Channel(index: 0), Controller(1), value: UInt8(index % 128)))))
      }
      // Sent before the output starts: its frame is known from the first cycle.
      server.turn(period)
      var sent = try sink.send(events.events.span, payloads: events.payloads.span)
      try output.start(plan())
      var left: [Int] = []
      var start = 0
      while start < 480_000 + 2 * period {
        server.turn(period)
        for message in server.buffer("out")?.messages ?? [] {
          #expect(message.bytes[2] == UInt8(left.count % 128))
          left.append(start + message.frame)
        }
        start += period
        sent += try sink.send(
          events.events.span.extracting(sent..<times.count), payloads: events.payloads.span)
      }
      #expect(left == expected)
      #expect(port.lateEventCount == 0 && port.refusedEventCount == 0)
      output.stop(draining: false)
    }

    @Test func `host times are those of the server, minus the reported latency`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(1_024)
      let line = try #require(client.line)
      var events = HostEventBuffer()
      for frame in [3_000, 5_000, 5_001] {
        events.append(note(60, at: line.timeRoundedUp(atCount: Int64(frame))))
      }
      #expect(try port.send(events) == 3)
      port.cancel(from: line.timeRoundedUp(atCount: 5_001))
      var left: [Int] = []
      for turn in 1...6 {
        server.turn(1_024)
        left += (server.buffer("out")?.messages ?? []).map { turn * 1_024 + $0.frame }
      }
      #expect(left == [3_000, 5_000])
      server.playbackLatency = 480
      server.tellLatencies()
      let next = try #require(client.line).timeRoundedUp(atCount: 9_000)
      _ = port.send([note(60, at: next)].span, payloads: [UInt8]().span)
      for turn in 7...9 {
        server.turn(1_024)
        left += (server.buffer("out")?.messages ?? []).map { turn * 1_024 + $0.frame }
      }
      #expect(left.last == 9_000 - 480)
    }

    @Test func `polling alone shows that all has left after two cycles`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      let now = try #require(client.line).timeRoundedUp(atCount: 64)
      _ = port.send([note(60, at: now)].span, payloads: [UInt8]().span)
      var looks = 0
      while !port.drain(until: HostTime(nanoseconds: 0)), looks < 8 {
        server.turn(64)
        looks += 1
      }
      #expect((2...4).contains(looks))
    }

    @Test func `messages that do not fit in a cycle leave in the next, and silence releases`()
      throws
    {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      let now = try #require(client.line).timeRoundedUp(atCount: 64)
      var events = HostEventBuffer()
      for _ in 0..<3 {
        events.append(
          sysEx: [UInt8](repeating: 1, count: 20_000).span, time: now, track: 0, generation: 0)
      }
      events.append(note(61, at: now))
      #expect(try port.send(events) == 4)
      var counts: [Int] = []
      for _ in 0..<4 {
        server.turn(64)
        counts.append(server.buffer("out")?.messages.count ?? 0)
      }
      #expect(counts == [1, 1, 2, 0])
      port.silence()
      server.turn(64)
      let released = (server.buffer("out")?.messages ?? []).map(\.bytes)
      #expect(released.first == [0x80, 61, 64])
      // The receiver may not have had its cycle.
      #expect(!port.drain(until: HostTime(nanoseconds: 0)))
    }

    @Test func `late events are late by one cycle, and stay before those due`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      for _ in 0..<3 { server.turn(1_000) }
      let line = try #require(client.line)
      var events = HostEventBuffer()
      for (key, frame) in [(1, 1_500), (2, 2_300), (3, 2_700), (4, 3_400)] {
        events.append(note(key, at: line.timeRoundedUp(atCount: Int64(frame))))
      }
      #expect(try port.send(events) == 4)
      server.turn(1_000)
      let left = server.buffer("out")?.messages ?? []
      #expect(left.map(\.frame) == [0, 300, 400, 400])
      #expect(left.map { $0.bytes[1] } == [1, 2, 3, 4])
      #expect(port.lateEventCount == 3)
    }

    @Test func `received events have the time of their frame, and their sender`() throws {
      let port = try ports.makeInput(named: "in", readsAhead: false)
      let system = PortSystem(ports)
      try port.connect(to: system.find("keys", .source))
      try port.connect(to: system.find("jack:system", .source))
      #expect(server.connections.map(\.0) == ["keys:out", "system:midi_capture_1"])
      server.turn(1_000)
      let sysEx: [UInt8] = [0xF0, 1, 2, 3, 4, 5, 0xF7]
      server.buffer("in from")?.append([0x90, 60, 100], at: 7)
      server.buffer("in from")?.append(sysEx, at: 999)
      server.buffer("in from 2")?.append([0xC0, 5], at: 500)
      server.turn(1_000)
      let line = try #require(client.line)
      var received = HostEventBuffer()
      try port.drain(into: &received)
      #expect(
        received.events.map(\.time)
          == [1_007, 1_500, 1_999].map { line.timeRoundedUp(atCount: $0) })
      #expect(received.payloads == [1, 2, 3, 4, 5])
      #expect(
        received.events.map { port.senderName($0.track) }
          == ["jack:keys:out", "jack:system:midi_capture_1", "jack:keys:out"])
    }

    @Test func `events of one sender keep their order, even if it or the server is late`() throws {
      server.bufferFrames = 64
      let port = try ports.makeInput(named: "in", readsAhead: false)
      try port.connect(to: PortSystem(ports).find("keys", .source))
      server.turn(64)
      let buffer = try #require(server.buffer("in from"))
      var received = HostEventBuffer()
      func hear(_ key: UInt8, at frame: Int, _ turn: (Int) -> Void) throws {
        buffer.clear()
        buffer.append([0x90, key, 1], at: frame)
        turn(64)
        if key % 2 == 0 { try port.drain(into: &received) }
      }
      try hear(1, at: 63, server.turn)
      // JACK 2 was late with a cycle: it starts when it did, the next when it should have.
      server.lateness = 10_000
      try hear(2, at: 50, server.turn)
      server.lateness = 0
      try hear(3, at: 3, server.turn)
      // The late events arrive in the next cycle, and that cycle is repeated.
      try hear(4, at: 60, server.turn)
      try hear(5, at: 10, server.turnAgain)
      // After a pause, the server's times are used again.
      DeadlineWait.sleep(until: DeadlineWait.now + 20_000_000)
      try hear(6, at: 0, server.turn)
      let keys = received.events.map { event in
        guard case .message(let message) = event.payload else { return 0 }
        return Int(message.data1)
      }
      #expect(keys == Array(1...6))
      #expect(zip(received.events, received.events.dropFirst()).allSatisfy { $0.time <= $1.time })
      let line = try #require(client.line)
      #expect(received.events.last?.time == line.timeRoundedUp(atCount: Int64(server.frame) - 64))
    }

    @Test func `held notes are released after all received events, from any sender`() throws {
      let port = try ports.makeInput(named: "in", readsAhead: false)
      let system = PortSystem(ports)
      try port.connect(to: system.find("keys", .source))
      try port.connect(to: system.find("jack:system", .source))
      server.turn(64)
      server.buffer("in from")?.append([0x90, 60, 100], at: 60)
      let noise = try #require(server.buffer("in from 2"))
      for _ in 0..<4_096 { noise.append([0xB0, 1, 1], at: 0) }
      for _ in 0..<3 {
        server.turn(64)
        server.buffer("in from")?.clear()
      }
      var received = HostEventBuffer()
      try port.drain(into: &received)
      #expect(port.overflows == 1)
      let ends = received.events.filter { event in
        guard case .message(let message) = event.payload else { return false }
        return message.data1 == 60
      }
      #expect(ends.count == 2 && ends[0].time <= ends[1].time)
      guard case .message(let last)? = ends.last?.payload else { return #expect(Bool(false)) }
      #expect(last == .noteOff(Channel(index: 0), 60))
    }

    @Test func `events that are not drained are reported, and held notes released`() throws {
      let port = try ports.makeInput(named: "in", readsAhead: false)
      let system = PortSystem(ports)
      try port.connect(to: system.find("keys", .source))
      let buffer = try #require(server.buffer("in from"))
      buffer.append([0x90, 60, 100], at: 0)
      for _ in 0..<4_000 { buffer.append([0xB0, 1, 1], at: 0) }
      for _ in 0..<3 { server.turn(64) }
      var received = HostEventBuffer()
      try port.drain(into: &received)
      #expect(port.overflows == 1)
      guard case .message(let last)? = received.events.last?.payload else {
        return #expect(Bool(false))
      }
      #expect(last == .noteOff(Channel(index: 0), 60))
    }

    @Test func `appearing and disappearing ports are reported, the server's too`() async throws {
      let monitor = try ports.makeMonitor()
      #expect(monitor.endpoints.endpoints(.destination).count == 3)
      server.destinations.append("bells:in")
      server.tellPorts()
      var changes: [EndpointChange] = []
      func sees(_ count: Int) throws -> Bool {
        changes += try monitor.changes()
        return changes.count >= count
      }
      #expect(try await wait { try sees(1) })
      guard case .appeared(let bells) = changes.first else { return #expect(Bool(false)) }
      #expect(bells.fullName == "jack:bells:in")
      let port = try ports.makeOutput(named: "out", sysExSpeed: 3_125)
      try port.connect(to: bells)
      #expect(try port.hasListeners)
      changes = []
      server.connections = []
      server.isUp.store(false, ordering: .releasing)
      server.die()
      #expect(try await wait { try sees(6) })
      #expect(try ports.peers().devices.isEmpty)
      server.isUp.store(true, ordering: .releasing)
      #expect(try await wait { try sees(12) })
      #expect(server.connections.map(\.1) == ["bells:in"])
      server.destinations.removeLast()
      #expect(throws: EndpointError.vanished(name: "jack:bells:in")) {
        server.connections = []
        try port.connect(to: bells)
      }
    }

    @Test func `while the server is away events are lost, and not sent in a burst`() async throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(1_024)
      let time = try #require(client.line).timeRoundedUp(atCount: 2_000)
      _ = port.send([note(60, at: time)].span, payloads: [UInt8]().span)
      server.isUp.store(false, ordering: .releasing)
      server.die()
      #expect(await wait { client.isAway })
      #expect(port.send([note(61, at: time)].span, payloads: [UInt8]().span) == 1)
      server.isUp.store(true, ordering: .releasing)
      #expect(await wait { !client.isAway })
      for _ in 0..<4 {
        server.turn(1_024)
        #expect(server.buffer("out")?.messages.isEmpty == true)
      }
      let next = try #require(client.line).timeRoundedUp(atCount: 5_130)
      _ = port.send([note(62, at: next)].span, payloads: [UInt8]().span)
      server.turn(1_024)
      #expect(server.buffer("out")?.messages.map(\.bytes) == [[0x90, 62, 1]])
    }

    @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
    func `a cycle with messages allocates and locks nothing`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      let input = try ports.makeInput(named: "in", readsAhead: false)
      let buffer = try #require(server.buffer("in"))
      for frame in 0..<8 { buffer.append([0x90, 60, 100], at: frame) }
      server.turn(1_024)
      let line = try #require(client.line)
      var events = HostEventBuffer()
      for frame in 0..<4_000 {
        events.append(note(60, at: line.timeRoundedUp(atCount: Int64(1_024 + frame * 30))))
      }
      #expect(try port.send(events) == 4_000)
      // The first cycle creates the metadata of the types of this fake server.
      server.turn(1_000)
      callocationcounter_begin()
      for _ in 0..<150 { server.turn(1_000) }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0)
      #expect(counts.frees == 0)
      #expect(counts.locks == 0)
      #expect(port.lateEventCount == 0)
      withExtendedLifetime(input) {}
    }
  }
}
