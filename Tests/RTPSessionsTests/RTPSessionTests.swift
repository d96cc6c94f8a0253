// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import NetworkSockets
import RTPMIDI
import RTPSessions
import Realtime
import TestSupport
import Testing

@Suite(.enabled(if: !NetworkNamespace.isOwn)) struct OwnSessionNetworkTests {
  @Test func `the session tests pass in a separate network namespace`() throws {
    let run = try NetworkNamespace.run("RTPSessionsTests")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }
}

@Suite(.enabled(if: NetworkNamespace.isOwn, NetworkNamespace.reason), .serialized)
struct RTPSessionTests {
  static func holds(_ condition: () -> Bool) -> Bool {
    let end = DeadlineWait.now + 20_000_000_000
    while !condition() {
      guard DeadlineWait.now < end else { return false }
      DeadlineWait.sleep(until: DeadlineWait.now + 5_000_000)
    }
    return true
  }

  private func events(of session: RTPSession, _ count: Int) -> HostEventBuffer {
    var buffer = HostEventBuffer()
    _ = Self.holds {
      session.drain(into: &buffer)
      return buffer.events.count >= count
    }
    return buffer
  }

  @Test(arguments: [IPAddress.loopbackV4, .loopbackV6])
  func `events arrive at their times, and notes end with the sender`(
    address: IPAddress
  ) throws {
    let host = try SessionHost()
    let ears = try RTPSession(.init(name: "ears"), on: host)
    defer { ears.end() }
    let mouth = try RTPSession(.init(name: "mouth"), on: host)
    mouth.invite(SocketAddress(address, port: ears.port), name: "ears")
    #expect(Self.holds { ears.standings.contains { $0.isJoined && $0.latency != nil } })
    #expect(ears.standings.first?.partner.name == "mouth")
    let start = HostTime.now.advanced(byNanoseconds: 50_000_000)
    var buffer = HostEventBuffer()
    for index in 0..<10 as Range<Int64> {
      let time = start.advanced(byNanoseconds: index * 10_000_000)
      buffer.append(
        HostEvent(time: time, payload: .message(.noteOn(1, 60, velocity: UInt8(index + 1)))))
    }
    let bytes = (0..<600).map { UInt8($0 % 128) }
    buffer.append(sysEx: bytes.span, time: start.advanced(byNanoseconds: 95_000_000), track: 0)
    #expect(mouth.send(buffer.events.span, payloads: buffer.payloads.span) == 11)
    let heard = events(of: ears, 11)
    #expect(heard.events.count == 11)
    // Late a busy machine may make them; early they never are, but for the clocks' difference.
    for (sent, came) in zip(buffer.events, heard.events) {
      #expect(came.time.nanoseconds > sent.time.nanoseconds + 4_000_000)
    }
    guard case .sysEx(let place) = heard.events.last?.payload else {
      Issue.record("no SysEx was received")
      return
    }
    #expect(Array(heard.payloads[Int(place.offset)..<Int(place.offset + place.count)]) == bytes)
    mouth.end()
    let rest = events(of: ears, 10)
    #expect(rest.events.allSatisfy { $0.payload.isRelease })
    #expect(rest.events.count == 10)
    #expect(Self.holds { ears.standings.isEmpty })
  }

  @Test(arguments: [nil, 3_125])
  func `a drained session has sent a long SysEx and the events behind it`(speed: Int?) throws {
    let host = try SessionHost()
    let ears = try RTPSession(.init(name: "ears"), on: host)
    defer { ears.end() }
    var settings = RTPSession.Settings(name: "mouth")
    settings.sysExSpeed = speed
    let mouth = try RTPSession(settings, on: host)
    mouth.invite(SocketAddress(.loopbackV4, port: ears.port), name: "ears")
    #expect(Self.holds { ears.standings.contains { $0.isJoined && $0.latency != nil } })
    let bytes = (0..<5_000).map { UInt8($0 % 128) }
    var buffer = HostEventBuffer()
    let now = HostTime.now
    buffer.append(sysEx: bytes.span, time: now, track: 0)
    for key in 60..<63 as Range<UInt8> {
      let note = Message.noteOn(1, Key(key), velocity: 9)
      buffer.append(HostEvent(time: now, payload: .message(note)))
    }
    #expect(mouth.send(buffer.events.span, payloads: buffer.payloads.span) == 4)
    #expect(mouth.isHoldingBack && mouth.sysExProgress.total == 5_002)
    #expect(mouth.drain(until: now.advanced(byNanoseconds: 60_000_000_000)))
    #expect(!mouth.isHoldingBack)
    #expect(mouth.takeSysExDelay() > .zero)
    mouth.end()
    // The notes are released as the session ends.
    let heard = events(of: ears, 7)
    #expect(heard.events.count == 7)
    guard case .sysEx(let place) = heard.events.first?.payload else {
      Issue.record("no SysEx was received")
      return
    }
    #expect(Array(heard.payloads[Int(place.offset)..<Int(place.offset + place.count)]) == bytes)
  }

  @Test func `what is ahead is taken back, and silence ends the rest`() throws {
    let host = try SessionHost()
    let ears = try RTPSession(.init(name: "ears"), on: host)
    let mouth = try RTPSession(.init(name: "mouth"), on: host)
    defer { for session in [ears, mouth] { session.end() } }
    mouth.invite(SocketAddress(.loopbackV4, port: ears.port), name: "ears")
    #expect(Self.holds { ears.standings.contains { $0.isJoined } })
    let now = HostTime.now
    var buffer = HostEventBuffer()
    buffer.append(HostEvent(time: now, payload: .message(.noteOn(1, 60, velocity: 1))))
    let far = now.advanced(byNanoseconds: 60_000_000_000)
    buffer.append(HostEvent(time: far, payload: .message(.noteOn(1, 61, velocity: 1))))
    _ = mouth.send(buffer.events.span, payloads: buffer.payloads.span)
    #expect(events(of: ears, 1).events.count == 1)
    #expect(!mouth.drain(until: .now))
    mouth.cancel(from: now.advanced(byNanoseconds: 1_000_000_000))
    #expect(mouth.drain(until: far))
    #expect(HostTime.now < far.advanced(byNanoseconds: -20_000_000_000))
    mouth.silence()
    let rest = events(of: ears, 8)
    #expect(rest.events.first?.payload.isRelease == true)
  }

  @Test func `a port that is taken is an error, and the usual ones are tried in turn`() throws {
    let host = try SessionHost()
    let first = try RTPSession(.init(name: "a"), on: host)
    let second = try RTPSession(.init(name: "b"), on: host)
    defer { for session in [first, second] { session.end() } }
    #expect(first.port != second.port)
    #expect(throws: NetworkError.self) {
      try RTPSession(.init(name: "c", port: first.port), on: host)
    }
  }
}

extension EventPayload {
  fileprivate var isRelease: Bool {
    if case .message(let message) = self { message.isRelease } else { false }
  }
}
