// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MIDIPorts
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// SysEx messages too long for the buffer of a cycle.
  @Suite struct JACKLongSysExTests {
    private let server: FakeServer
    private let client: JACKClient
    private let bytes = (0..<100_000).map { UInt8($0 % 128) }

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      client = try FakeServer.client()
    }

    /// Sends a SysEx of 100,000 bytes and a note, both due in the next cycle.
    private func begin() throws -> JACKOutputPort {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      let time = try #require(client.line).timeRoundedUp(atCount: Int64(server.frame))
      var buffer = HostEventBuffer()
      buffer.append(sysEx: bytes.span, time: time, track: 0)
      let note = Message.noteOn(Channel(index: 0), 60, velocity: 1)
      buffer.append(HostEvent(time: time, payload: .message(note)))
      #expect(port.send(buffer.events.span, payloads: buffer.payloads.span) == 2)
      return port
    }

    private func turn() -> [[UInt8]] {
      server.turn(64)
      return (server.buffer("out")?.messages ?? []).map(\.bytes)
    }

    /// True if all has left: two cycles after it was written.
    private func hasDrained(_ port: JACKOutputPort) -> Bool {
      _ = port.drain(until: .zero)
      for _ in 0..<2 { _ = turn() }
      return port.drain(until: .zero)
    }

    @Test func `it leaves in pieces, one in each cycle, and a note after it`() throws {
      let port = try begin()
      var sent: [[UInt8]] = []
      for _ in 0..<20 {
        let messages = turn()
        if sent.joined().count < bytes.count + 2 { #expect(!messages.isEmpty) }
        sent += messages
      }
      #expect(sent.count > 4)
      #expect(sent.removeLast() == [0x90, 60, 1])
      #expect(Array(sent.joined()) == [0xF0] + bytes + [0xF7])
      #expect(port.lostEventCount == 0)
      #expect(hasDrained(port))
    }

    @Test func `events due at once wait for its end`() throws {
      let port = try begin()
      var sent = turn()
      port.sendAtOnce([.noteOff(Channel(index: 0), 61)])
      for _ in 0..<20 { sent += turn() }
      let last = sent.suffix(2)
      #expect(Array(last) == [[0x80, 61, 64], [0x90, 60, 1]])
      #expect(Array(sent.dropLast(2).joined()) == [0xF0] + bytes + [0xF7])
      withExtendedLifetime(port) {}
    }

    @Test func `silence ends it, and later pieces are not sent`() throws {
      let port = try begin()
      var sent = turn()
      port.state.withLock { _ = $0.queue.cancel(from: .min) }
      sent += turn()
      #expect(sent.count == 2 && sent.last == [0xF7])
      #expect(turn().isEmpty)
      #expect(hasDrained(port))
    }

    @Test func `a SysEx that is too long for the port is counted`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(64)
      let long = [UInt8](repeating: 1, count: (1 << 20) + 1)
      var buffer = HostEventBuffer()
      buffer.append(sysEx: long.span, time: .zero, track: 0)
      #expect(port.send(buffer.events.span, payloads: buffer.payloads.span) == 1)
      #expect(port.lostEventCount == 1)
    }
  }
}
