// SPDX-License-Identifier: Apache-2.0
import CJACK
import MIDIMessages
import MIDIPorts
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// What sounds at ports when the server, or this process, is suddenly gone.
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

    /// Sends messages that are due at a frame from the client's last turn on.
    private func send(_ messages: [Message], to port: JACKOutputPort, in frames: Int64) throws {
      let line = try #require(client.line)
      let time = line.timeRoundedUp(atCount: Int64(server.frame) + frames)
      let events = messages.map { HostEvent(time: time, payload: .message($0)) }
      #expect(port.send(events.span, payloads: [UInt8]().span) == events.count)
    }

    private var sent: [[UInt8]] { (server.buffer("out")?.messages ?? []).map(\.bytes) }

    @Test func `a note whose end was lost with the server is released with its return`()
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

    @Test func `a note whose end was taken back is released by silence`() throws {
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

    @Test func `what was held at an input is released where the server is gone`() async throws {
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

    @Test func `a guardian sees what has left and is under way, and nothing that was taken back`()
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
        kernel.take()
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

    @Test func `what a guardian is told comes through a stream of bytes, in pieces`() {
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
