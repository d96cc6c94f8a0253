// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CJACK
import Glibc
import MIDIMessages
import MIDIPorts
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// Notes at ports when the server, or this process, ends suddenly.
  @Suite struct JACKLossTests {
    private let server: FakeServer
    private let client: JACKClient
    private let channel = Channel(index: 0)

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      server.sources = ["keys:out"]
      server.destinations = ["organ:in"]
      client = try FakeServer.client()
    }

    private func lose() async {
      server.isUp.store(false, ordering: .releasing)
      server.die()
      #expect(await wait { client.isAway })
    }

    private func comeBack() async {
      server.isUp.store(true, ordering: .releasing)
      #expect(await wait { !client.isAway })
    }

    /// Sends messages that are due at a frame from the client's last cycle on.
    private func send(_ messages: [Message], to port: JACKOutputPort, in frames: Int64) throws {
      let line = try #require(client.line)
      let time = line.timeRoundedUp(atCount: Int64(server.frame) + frames)
      let events = messages.map { HostEvent(time: time, payload: .message($0)) }
      #expect(port.send(events.span, payloads: [UInt8]().span) == events.count)
    }

    private var sent: [[UInt8]] { (server.buffer("out")?.messages ?? []).map(\.bytes) }

    @Test func `a note whose note-off was lost with the server is released when it returns`()
      async throws
    {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      try send(
        [.noteOn(channel, 60, velocity: 1), .noteOn(channel, 61, velocity: 1)], to: port, in: 0)
      server.turn(64)
      #expect(sent == [[0x90, 60, 1], [0x90, 61, 1]])
      await lose()
      let lost: [Message] = [
        .noteOn(channel, 62, velocity: 1), .noteOff(channel, 62), .noteOff(channel, 60),
        .noteOff(channel, 60),
      ]
      let time = HostTime(nanoseconds: 0)
      let events = lost.map { HostEvent(time: time, payload: .message($0)) }
      #expect(port.send(events.span, payloads: [UInt8]().span) == events.count)
      await comeBack()
      server.turn(64)
      #expect(sent == [[0x80, 60, 64]])
    }

    @Test func `a note whose note-off was cancelled is released by silence`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      try send([.noteOn(channel, 60, velocity: 1)], to: port, in: 0)
      try send([.noteOff(channel, 60)], to: port, in: 9_000)
      server.turn(64)
      #expect(sent == [[0x90, 60, 1]])
      port.cancel(from: try #require(client.line).timeRoundedUp(atCount: 1_000))
      server.turn(64)
      port.silence()
      server.turn(64)
      #expect(sent.first == [0x80, 60, 64])
    }

    @Test func `an audio input reports the loss of its server, and counts it as a gap`()
      async throws
    {
      let input = try JACKInput(on: client, from: .none)
      server.turn(64)
      #expect(try input.read().count == 2 * 64)
      #expect(!input.isAway && input.xrunCount == 0)
      await lose()
      #expect(await wait { input.isAway && input.xrunCount == 1 })
      #expect(try input.read().isEmpty)
      await comeBack()
      server.turn(64)
      #expect(try input.read().count == 2 * 64)
      #expect(!input.isAway && input.xrunCount == 1)
    }

    @Test func `notes held at an input are released if the server is gone`() async throws {
      let client = client
      let ports = JACKPorts { client }
      let port = try ports.makeInput(named: "in", readsAhead: false)
      try port.connect(to: PortSystem(ports).find("keys", .source))
      server.buffer("in from")?.append([0x90, 60, 100], at: 0)
      server.turn(64)
      var received = HostEventBuffer()
      try port.drain(into: &received)
      #expect(received.events.count == 1)
      await lose()
      try port.drain(into: &received)
      guard case .message(let last)? = received.events.last?.payload else {
        return #expect(Bool(false))
      }
      #expect(last == .noteOff(channel, 60))
      #expect(port.overflows == 0)
      let count = received.events.count
      await comeBack()
      try port.drain(into: &received)
      #expect(received.events.count == count)
    }

    @Test func `an input is away while its server is`() async throws {
      let input = try JACKInput(on: client)
      #expect(!input.isAway)
      await lose()
      #expect(await wait { input.isAway })
      await comeBack()
      #expect(!input.isAway)
    }

    @Test func `a library that never closes its client does not hide the loss`() async throws {
      let input = try JACKInput(on: client)
      server.closingHangs.store(true, ordering: .releasing)
      await lose()
      #expect(await wait { input.isAway })
      #expect(client.name == "test")
      // The old client's threads still run.
      let turns = client.process.turnCount.load(ordering: .relaxed)
      server.turn(64)
      server.tellPorts()
      #expect(client.process.turnCount.load(ordering: .relaxed) == turns)
      server.closingHangs.store(false, ordering: .releasing)
      #expect(await wait { server.hasClosed })
    }

    @Test func `a client is closed when the thread that reported the loss has ended`() async {
      server.isUp.store(false, ordering: .releasing)
      server.die(lingering: 100_000)
      #expect(await wait { client.isAway })
      #expect(server.hasClosed && !server.hasClosedEarly)
    }

    @Test func `a server that is back at another rate ends its client with its own error`() async {
      await lose()
      server.hertz = 44_100
      server.isUp.store(true, ordering: .releasing)
      #expect(await wait { client.failure != nil })
      let failure = JACKError.returnedAtOtherRate(.jack, hertz: 44_100, wanted: 48_000)
      #expect(client.failure == failure)
      #expect("\(failure)" == "JACK: restarted at 44100 Hz instead of 48000 Hz (start again)")
    }

    @Test func `an unknown name is answered with the existing ones`() throws {
      func error(_ name: String) -> JACKError? {
        #expect(throws: JACKError.self) { try client.channelCount(of: .client(name)) }
      }
      #expect(error("nobody") == .noSuchTarget(.jack, "nobody", candidates: ["card"]))
      #expect(
        error("card:in_9")
          == .noSuchTarget(.jack, "card:in_9", candidates: ["card:in_1", "card:in_2"]))
      #expect(
        "\(JACKError.notRunning(.pipewire, others: [.jack]))"
          == "PipeWire: not running (start it: systemctl --user start pipewire; or use jack,"
          + " which is running)")
    }

    private func keys(_ port: any InputPort) throws -> [UInt8] {
      var received = HostEventBuffer()
      try port.drain(into: &received)
      return received.events.compactMap { event in
        guard case .message(let message) = event.payload, message.status == 0x90 else { return nil }
        return message.data1
      }
    }

    /// JACK 2 wakes the receivers of a late client twice in a cycle; the second time there are the
    /// same events, more of them, or those that the late client gave only now.
    @Test func `a cycle that runs twice receives each note once, and plays nothing twice`() throws {
      let client = client
      let ports = JACKPorts { client }
      let port = try ports.makeInput(named: "in", readsAhead: false)
      try port.connect(to: PortSystem(ports).find("keys", .source))
      let output = JACKOutputUnit(on: client)
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      try output.start(graph.compile())
      let sender = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      let buffer = try #require(server.buffer("in from"))
      // The same messages.
      buffer.append([0x90, 60, 100], at: 5)
      try send([.noteOn(channel, 70, velocity: 1)], to: sender, in: 10)
      server.turn(64)
      server.turnAgain(64)
      #expect(sent == [[0x90, 70, 1]])
      #expect(server.samples("out_1", count: 1) == [Float(64) / 1_000_000])
      #expect(try keys(port) == [60])
      // More messages.
      buffer.append([0x90, 61, 100], at: 6)
      server.turnAgain(64)
      #expect(try keys(port) == [61])
      // A note of another cycle: it is another note.
      server.turn(64)
      #expect(try keys(port) == [60, 61])
      // Events that arrived only now.
      buffer.clear()
      server.turn(64)
      #expect(try keys(port) == [])
      buffer.append([0x90, 62, 100], at: 5)
      server.turnAgain(64)
      buffer.clear()
      server.turn(64)
      #expect(try keys(port) == [62])
      #expect(output.position.frames == 5 * 64)
      #expect(server.samples("out_1", count: 1) == [Float(4 * 64) / 1_000_000])
      output.stop(draining: false)
    }

    /// Runs a cycle of the length that a test asks for.
    private final class SlowDuty: JACKDuty, @unchecked Sendable {
      // Unchecked: it only has atomics.
      let isUnderWay = Atomic(false)
      let mayEnd = Atomic(false)

      override func process(_ cycle: JACKCycle) {
        isUnderWay.store(true, ordering: .releasing)
        while !mayEnd.load(ordering: .acquiring) { usleep(1_000) }
      }
    }

    @Test func `a cycle running when the server ends is finished`() async throws {
      let duty = SlowDuty()
      try client.add(duty)
      let server = server
      let thread = try RealtimeThread(name: "server", priority: nil) { server.turn(64) }
      #expect(await wait { duty.isUnderWay.load(ordering: .acquiring) })
      server.isUp.store(false, ordering: .releasing)
      server.die()
      // If it were closed at once, it would be closed by now.
      usleep(50_000)
      #expect(!server.hasClosed && !client.isAway)
      duty.mayEnd.store(true, ordering: .releasing)
      #expect(await wait { server.hasClosed })
      thread.join()
      client.remove(duty)
    }

    /// Events written in a server's last cycle count as received, although this is unknown.
    ///
    /// So a note is never repeated, and its note-off is sent when the server returns.
    @Test func `a note of the cycle in which the server ends is not repeated`() async throws {
      let output = JACKOutputUnit(on: client)
      let port = try JACKOutputPort(on: client, name: "out")
      let sink = try #require(output.inLine(port.sink))
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      try output.start(graph.compile())
      var events = EventBuffer(capacity: 8)
      for (frame, key) in [(10, 60), (70, 61), (130, 62)] {
        let time = SampleRate.hertz48000.timeRoundedUp(of: SampleTime(frames: Int64(frame)))
        events.append(
          TimedEvent(
            time: time, payload: .message(.noteOn(channel, Key(UInt8(key)), velocity: 1))))
      }
      _ = try sink.send(events.events.span, payloads: events.payloads.span)
      server.turn(64)
      #expect(sent == [[0x90, 60, 1]])
      server.turn(64)
      #expect(sent == [[0x90, 61, 1]])
      await lose()
      await comeBack()
      server.turn(64)
      #expect(sent == [[0x90, 62, 1]])
      server.turn(64)
      #expect(sent.isEmpty)
      output.stop(draining: false)
    }

    @Test func `a guardian sees sent and queued notes, but not cancelled ones`()
      throws
    {
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: SharedNotes.byteCount, alignment: 16)
      defer { unsafe memory.deallocate() }
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      let notes = try #require(unsafe SharedNotes(memory, port: 0))
      var queue = MIDIOutQueue(notes: notes)
      var kernel = queue.kernel()
      let buffer = FakeMIDIBuffer()
      let none: [UInt8] = []
      func keys() -> [UInt8] {
        notes.releases.filter { $0.status == 0x80 }.map(\.data1)
      }
      func turn(_ start: Int64) {
        let before = queue.claim.claim(to: start + 64)
        kernel.take(from: before.frame, following: before.orders)
        buffer.clear()
        unsafe kernel.write(
          from: start, frameCount: 64, into: Unmanaged.passUnretained(buffer).toOpaque(),
          FakeServer.table)
        queue.reclaim()
      }
      for (key, frame) in [(60, 0), (61, 100), (62, 200)] {
        let note = Message.noteOn(channel, Key(UInt8(key)), velocity: 1)
        let isTaken = queue.take(.message(note), at: Int64(frame), payloads: none.span)
        #expect(isTaken)
      }
      #expect(keys() == [60, 61, 62])
      turn(0)
      queue.cancel(from: 150)
      turn(64)
      #expect(keys() == [60, 61])
      _ = queue.take(.message(.noteOff(channel, 60)), at: 128, payloads: none.span)
      #expect(keys() == [60, 61])
      turn(128)
      #expect(keys() == [61])
    }

    @Test func `messages to a guardian pass through a byte stream in pieces`() {
      let facts = [
        JACKGuardianFact(server: .jack, port: 0, destination: "organ:in"),
        JACKGuardianFact(
          server: .pipewire, port: 63, destination: String(repeating: "ü", count: 200)),
      ]
      let bytes = facts.flatMap(\.bytes)
      var told: [UInt8] = []
      var heard: [JACKGuardianFact] = []
      for byte in bytes {
        told.append(byte)
        heard += JACKGuardianFact.take(from: &told)
      }
      #expect(heard == facts)
      #expect(told.isEmpty)
    }
  }
}
