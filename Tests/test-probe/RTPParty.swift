// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import MusicalTime
import NetworkSockets
import RTPMIDI
import RTPSessions
import Realtime

/// A participant of RTP-MIDI sessions, controlled by lines of standard input:
/// `TestProbe rtp NAME [PORT]`.
///
/// The lines are `invite HOST:PORT`, `song NOTES MILLISECONDS`, `chapters PACKETS`, `hold`,
/// `silence`, `status` (answers `PORT JOINED LOST RECEIVED HELD`), `announce`, `services` (answers
/// `NAME ADDRESS`, each followed by a semicolon) and `quit`.
struct RTPParty {
  private let session: RTPSession
  private var directory: ServiceDirectory?
  private var received = 0
  private var held = 0

  static func run(_ words: [String]) throws {
    var party = try RTPParty(words)
    try party.run()
    party.end()
  }

  private init(_ words: [String]) throws {
    let settings = RTPSession.Settings(
      name: words.first ?? "party", port: words.count > 1 ? UInt16(words[1]) : nil)
    session = try RTPSession(settings, on: try SessionHost())
  }

  private mutating func run() throws {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "invite": session.invite(try SocketAddress(parsing: words[1]), name: words[1])
      case "song": song(Int64(words[1]) ?? 0, Int64(words[2]) ?? 0)
      case "chapters": chapters(Int64(words[1]) ?? 0)
      case "hold": send([.noteOn(1, 60, velocity: 100)], at: .now)
      case "silence": session.silence()
      case "status": status()
      case "announce":
        let directory = try self.directory ?? ServiceDirectory()
        directory.announce(name: session.name, port: session.port)
        self.directory = directory
      case "services": services()
      default: return
      }
    }
  }

  private mutating func status() {
    var buffer = HostEventBuffer()
    session.drain(into: &buffer)
    received += buffer.events.count
    for case .message(let message) in buffer.events.map(\.payload) {
      guard let (hold, begins) = message.hold, hold.isKey else { continue }
      held = max(0, held + (begins ? 1 : -1))
    }
    let standings = session.standings
    let lost = standings.reduce(0) { $0 + $1.lostCount }
    print(session.port, standings.count { $0.isJoined }, lost, received, held)
    fflush(nil)
  }

  private func services() {
    let list = directory?.services ?? []
    print(list.map { "\($0.name) \($0.address);" }.joined(), directory?.isSettled ?? false)
    fflush(nil)
  }

  private func send(_ messages: [Message], at time: HostTime) {
    var buffer = HostEventBuffer()
    for message in messages { buffer.append(HostEvent(time: time, payload: .message(message))) }
    var next = 0
    while next < buffer.events.count {
      next += session.send(
        buffer.events.span.extracting(next..<buffer.events.count), payloads: buffer.payloads.span)
      if next < buffer.events.count { usleep(2_000) }
    }
  }

  /// A song of notes, handed over 100 ms ahead, with a rest now and then.
  private func song(_ notes: Int64, _ milliseconds: Int64) {
    var time = HostTime.now.advanced(byNanoseconds: 100_000_000)
    for index in 0..<notes {
      let (channel, key) = (UInt8(index % 16), UInt8(30 + index % 70))
      send([Message(status: 0x90 | channel, data1: key, data2: UInt8(1 + index % 100))], at: time)
      let end = time.advanced(byNanoseconds: milliseconds * 900_000)
      send([Message(status: 0x80 | channel, data1: key, data2: 64)], at: end)
      let rest: Int64 = index % 500 == 499 ? 300_000_000 : 0
      time = time.advanced(byNanoseconds: milliseconds * 1_000_000 + rest)
      DeadlineWait.sleep(until: time.nanoseconds - 100_000_000)
    }
    _ = session.drain(until: time.advanced(byNanoseconds: 1_000_000_000))
    print("played")
    fflush(nil)
  }

  /// Packets whose journals have every chapter, again and again: a packet every 2 ms.
  private func chapters(_ packets: Int64) {
    var time = HostTime.now.advanced(byNanoseconds: 20_000_000)
    for index in 0..<packets {
      let value = UInt8(truncatingIfNeeded: index) & 0x7F
      let channel = UInt8(index / 8 % 16)
      let messages: [Message] =
        switch index % 16 {
        case 0: [Message(status: 0x90 | channel, data1: value, data2: max(1, value))]
        case 1: [Message(status: 0x80 | channel, data1: value &- 1, data2: 33)]
        case 2: [Message(status: 0xB0 | channel, data1: 7, data2: value)]
        case 3: [Message(status: 0xC0 | channel, data1: value)]
        case 4: [Message(status: 0xE0 | channel, data1: value, data2: 127 - value)]
        case 5: [Message(status: 0xD0 | channel, data1: value)]
        case 6: [Message(status: 0xA0 | channel, data1: value, data2: value)]
        case 7:
          [(101, 0), (100, 1), (6, value), (38, value)].map {
            Message(status: 0xB0 | channel, data1: $0.0, data2: $0.1)
          }
        case 8: [Message(status: 0x90 | channel, data1: 60, data2: 9)]
        case 9: [Message(status: 0x90 | channel, data1: 60, data2: 9)]
        case 10: [Message(status: 0xF2, data1: value, data2: 1)]
        case 11: [Message(status: 0xF1, data1: value)]
        case 12: [Message(status: 0xF3, data1: value)]
        case 13: [Message(status: 0xFE)]
        case 14: [Message(status: 0xFA)]
        default: [Message(status: 0xF6)]
        }
      send(messages, at: time)
      if index % 40 == 0 {
        var buffer = HostEventBuffer()
        buffer.append(sysEx: [0x7D, value, 2].span, time: time, track: 0)
        _ = session.send(buffer.events.span, payloads: buffer.payloads.span)
      }
      time = time.advanced(byNanoseconds: 2_000_000)
      DeadlineWait.sleep(until: time.nanoseconds - 20_000_000)
    }
    _ = session.drain(until: time.advanced(byNanoseconds: 1_000_000_000))
    print("played")
    fflush(nil)
  }

  private func end() {
    directory?.end()
    session.end()
  }
}
