// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct RouterTests {
  private let channel = Channel(index: 0)

  private func buffer(keys: Range<UInt8>) -> EventBuffer {
    var buffer = EventBuffer()
    for key in keys {
      buffer.append(
        TimedEvent(
          time: ReferenceTime(nanoseconds: Int64(key)),
          payload: .message(.noteOn(channel, Key(key), velocity: 100))))
    }
    return buffer
  }

  @Test func `what a full sink refuses is sent later, in order, once`() throws {
    let sink = RecordingSink(room: 3)
    let router = Router(sinks: [sink])
    try router.send(buffer(keys: 10..<20))
    #expect(sink.events.count == 3)
    #expect(!router.isDrained)
    sink.room = .max
    try router.send(buffer(keys: 20..<22))
    #expect(router.isDrained)
    #expect(sink.messages.map(\.data1) == Array(10..<22))
  }

  @Test func `a route with a port takes the events of the port alone`() throws {
    let sinks = [RecordingSink(), RecordingSink(), RecordingSink()]
    let router = Router()
    for (port, sink) in zip([0, 1, nil] as [UInt8?], sinks) {
      router.addRoute(Route(port: port, to: router.addDestination(sink)))
    }
    var events = EventBuffer()
    for port in UInt8(0)..<3 {
      events.append(
        TimedEvent(
          time: .zero, payload: .message(.noteOn(channel, Key(60 + port), velocity: 100)),
          port: port))
      events.append(sysEx: [0x7E, port].span, time: .zero, track: 0, port: port)
    }
    try router.send(events)
    #expect(sinks.map { $0.messages.map(\.data1) } == [[60], [61], [60, 61, 62]])
    #expect(sinks.map { $0.sysExes.map { $0[1] } } == [[0], [1], [0, 1, 2]])
  }

  @Test func `SysEx bytes survive the wait`() throws {
    let sink = RecordingSink(room: 0)
    let router = Router(sinks: [sink])
    var events = EventBuffer()
    let bytes: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
    events.append(sysEx: bytes.span, time: .zero, track: 0, generation: 0)
    try router.send(events)
    sink.room = .max
    try router.send(EventBuffer())
    #expect(sink.sysExes == [bytes])
  }

  @Test func `silence cancels, then releases what was sent and nothing that was not`() throws {
    let sink = RecordingSink(room: 2)
    let router = Router(sinks: [sink])
    try router.send(buffer(keys: 60..<64))
    sink.room = .max
    try router.silence(at: ReferenceTime(nanoseconds: 500))
    #expect(sink.cancelled == [ReferenceTime(nanoseconds: 500)])
    let releases = sink.messages.filter { $0.status & 0xF0 == 0x80 }
    #expect(releases.map(\.data1) == [60, 61])
    #expect(router.isDrained)
  }

  @Test func `every sink has its own ledger`() throws {
    let first = RecordingSink()
    let second = RecordingSink(room: 1)
    let router = Router(sinks: [first, second])
    try router.send(buffer(keys: 60..<62))
    second.room = .max
    try router.silence(at: ReferenceTime(nanoseconds: 500))
    #expect(first.messages.filter { $0.status & 0xF0 == 0x80 }.count == 2)
    #expect(second.messages.filter { $0.status & 0xF0 == 0x80 }.count == 1)
  }

  private func send(_ message: Message, at time: Int64, by router: Router) throws {
    var buffer = EventBuffer()
    buffer.append(TimedEvent(time: ReferenceTime(nanoseconds: time), payload: .message(message)))
    try router.send(buffer)
  }

  private func transpose(_ router: Router, by semitones: Int) {
    var route = router.routes[0]
    route.transform.transposition = semitones
    router.setRoutes([route])
  }

  @Test(arguments: [0, 80])
  func `what is held on a way that changed nothing is released once the way changes it`(
    heard: Int64
  ) throws {
    let sink = RecordingSink()
    let router = Router(sinks: [sink])
    try send(.noteOn(channel, Key(60), velocity: 9), at: 60, by: router)
    router.settle(before: ReferenceTime(nanoseconds: heard))
    transpose(router, by: 12)
    try send(.noteOff(channel, Key(60)), at: 90, by: router)
    try send(.noteOn(channel, Key(60), velocity: 9), at: 95, by: router)
    #expect(sink.messages.dropFirst().map(\.data1) == [60, 72])
    #expect(sink.messages.dropFirst().map(\.status) == [0x80, 0x90])
  }

  @Test func `a release after a cancelled one uses the key of the note`() throws {
    let sink = RecordingSink()
    let router = Router(sinks: [sink])
    transpose(router, by: 5)
    try send(.noteOn(channel, Key(60), velocity: 9), at: 60, by: router)
    transpose(router, by: 12)
    try send(.noteOff(channel, Key(60)), at: 90, by: router)
    router.cancel(from: ReferenceTime(nanoseconds: 80))
    try send(.noteOff(channel, Key(60)), at: 85, by: router)
    #expect(sink.messages.map(\.data1) == [65, 65])
  }

  @Test func `what one sink has let go of goes to the others again, and is released by all`() throws
  {
    let (quick, slow) = (RecordingSink(), RecordingSink())
    let router = Router(sinks: [quick])
    router.addRoute(Route(to: router.addDestination(slow, delay: .nanoseconds(10))))
    try router.send(buffer(keys: 60..<90))
    quick.taken = ReferenceTime(nanoseconds: 75)
    let first = router.takeBack(from: ReferenceTime(nanoseconds: 70))
    #expect(first == quick.taken)
    #expect(slow.messages.map(\.data1) == Array(60..<70))
    try router.forget(from: ReferenceTime(nanoseconds: 80))
    #expect(quick.messages.map(\.data1) == Array(60..<80))
    #expect(slow.messages.map(\.data1) == Array(60..<80))
    #expect(slow.events.last?.time == ReferenceTime(nanoseconds: 89))
    try router.release(at: ReferenceTime(nanoseconds: 80))
    for sink in [quick, slow] {
      #expect(sink.messages.filter { $0.status & 0xF0 == 0x80 }.map(\.data1) == Array(60..<80))
    }
  }

  /// Reports each call of `send`.
  private final class NamedSink: EventSink {
    let tell: () -> Void
    let ordersByTime = true

    init(_ tell: @escaping () -> Void) { self.tell = tell }

    func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
      tell()
      return events.count
    }

    func cancel(from time: ReferenceTime) {}
  }

  @Test func `destinations can receive events before those added earlier`() throws {
    var told: [String] = []
    let router = Router(sinks: [NamedSink { told.append("notes") }])
    for name in ["clock", "code"] {
      let number = router.addDestination(NamedSink { told.append(name) }, leads: true)
      router.addRoute(Route(to: number))
    }
    try router.send(buffer(keys: 60..<62))
    #expect(told == ["clock", "code", "notes"])
  }
}
