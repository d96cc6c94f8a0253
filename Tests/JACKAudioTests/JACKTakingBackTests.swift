// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import ClockService
import Glibc
import MIDIMessages
import MIDIPorts
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// Events cancelled at a port while its server's cycles run.
  @Suite struct JACKTakingBackTests {
    private let server: FakeServer
    private let client: JACKClient
    private let none: [UInt8] = []

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      client = try FakeServer.client()
    }

    private func left(_ start: Int) -> [Int] {
      (server.buffer("out")?.messages ?? []).map { start + $0.frame }
    }

    @Test func `events taken by a cycle are not cancelled, and the result shows it`() throws {
      let port = try JACKOutputPort(on: client, name: "out")
      server.turn(1_024)
      func events(_ frames: [Int64]) throws -> [HostEvent] {
        let line = try #require(client.line)
        return frames.map {
          HostEvent(
            time: line.timeRoundedUp(atCount: $0),
            payload: .message(.noteOn(Channel(index: 0), 60, velocity: 1)))
        }
      }
      let sent = try events([1_500, 2_047, 2_048, 3_000])
      #expect(port.send(sent.span, payloads: none.span) == 4)
      server.turn(1_024)
      #expect(left(1_024) == [1_500, 2_047])
      let asked = try events([1_800, 2_500])
      let bounds = try events([2_047, 2_048])
      let first = port.takeBack(from: asked[0].time)
      // From the first instant of the next cycle: events sent for it are not late.
      #expect(first > bounds[0].time && first <= bounds[1].time)
      let again = HostEvent(time: first, payload: asked[0].payload)
      #expect(port.send([again].span, payloads: none.span) == 1)
      #expect(port.send([asked[1]].span, payloads: none.span) == 1)
      #expect(port.takeBack(from: asked[1].time) == asked[1].time)
      var all: [Int] = []
      for turn in 2..<5 {
        server.turn(1_024)
        all += left(turn * 1_024)
      }
      #expect(all == [2_048])
      #expect(port.lateEventCount == 0)
    }

    @Test(arguments: [64, 1_000, 1_024])
    func `commands lose and repeat nothing, however many cycles pass meanwhile`(
      period: Int
    ) throws {
      server.bufferFrames = UInt32(period)
      let output = JACKOutputUnit(on: client)
      let port = try JACKOutputPort(on: client, name: "out")
      let other = RecordingSink()
      let rate = client.rate
      let length = rate.timeRoundedUp(of: SampleTime(frames: Int64(period))).nanoseconds
      // A tick is 50 frames.
      let scheduler = EventScheduler(
        clock: MusicClock(tempoMap: TempoMap(ppqn: .standard)),
        sources: [ScriptedSource(spacing: 1)],
        router: Router(sinks: [try #require(output.inLine(port)), other]))
      scheduler.lead = .nanoseconds(max(length, 5_000_000))
      // However many cycles pass, nothing is late.
      scheduler.lane.horizon = .nanoseconds(8 * length + 100_000_000)
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      try output.start(graph.compile())
      try scheduler.start(from: 0, at: .zero)
      try scheduler.step(at: .zero)
      var random = SplitMix(seed: UInt64(period))
      var (all, start): ([Int], Int) = ([], 0)
      func turn() {
        server.turn(period)
        all += left(start)
        start += period
      }
      for _ in 0..<400 {
        let position = rate.timeRoundedUp(of: output.position)
        scheduler.look(at: position)
        for _ in 0..<random.next() % 4 { turn() }
        switch random.next() % 3 {
        case 0: try scheduler.interrupt { _, _, _ in }
        case 1: try scheduler.setPlayRate(1)
        default: break
        }
        try scheduler.step(at: position)
        turn()
      }
      #expect(all == (0..<all.count).map { $0 * 50 })
      #expect(all.count >= start / 50 && port.lateEventCount == 0)
      let others = other.events.map { rate.frame(at: $0.time).frames }.sorted()
      #expect(others == (0..<others.count).map { Int64($0 * 50) })
      output.stop(draining: false)
    }

    @Test func `a stop releases notes taken by a cycle meanwhile`() throws {
      let output = JACKOutputUnit(on: client)
      let port = try JACKOutputPort(on: client, name: "out")
      let sink = try #require(output.inLine(port))
      let router = Router(sinks: [sink])
      let scheduler = EventScheduler(
        clock: MusicClock(tempoMap: TempoMap(ppqn: .standard)), sources: [], router: router)
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      try output.start(graph.compile())
      scheduler.lane.horizon = .milliseconds(100)
      try scheduler.start(from: 0, at: .zero)
      scheduler.look(at: .zero)
      try scheduler.step(at: .zero)
      var notes = EventBuffer()
      notes.append(
        TimedEvent(
          time: client.rate.timeRoundedUp(of: SampleTime(frames: 1_000)),
          payload: .message(.noteOn(Channel(index: 0), 60, velocity: 1))))
      try router.send(notes)
      // The thread is delayed here: a cycle takes the note, which is due after the stop's instant.
      server.turn(1_024)
      #expect(left(0) == [1_000])
      try scheduler.stop()
      server.turn(1_024)
      let sent = server.buffer("out")?.messages ?? []
      let releases = sent.filter { $0.bytes[0] == 0x80 }
      #expect(releases.map(\.frame) == [0])
      output.stop(draining: false)
    }

    /// The number of events sent.
    private final class SentFrames: Sendable {
      let frame = Atomic<Int64>(0)
    }

    /// Runs cycles of any length, none past the sent events; returns the numbers that left.
    private static func hear(
      _ server: FakeServer, upTo end: Int, behind sent: SentFrames
    ) -> [Int] {
      var random = SplitMix(seed: 1)
      var (numbers, frame): ([Int], Int) = ([], 0)
      while frame < end {
        while sent.frame.load(ordering: .acquiring) < Int64(frame + 64) { usleep(20) }
        let frames = Int(random.next() % 64) + 1
        server.turn(frames)
        frame += frames
        numbers += (server.buffer("out")?.messages ?? []).map {
          Int($0.bytes[1]) + Int($0.bytes[2]) << 7
        }
      }
      return numbers
    }

    @Test func `cancelling during cycles reports exactly which events have left`() async throws {
      let port = try JACKOutputPort(on: client, name: "out")
      let claim = port.duty.claim
      // Event n is due at frame 4·n, and contains its number.
      let count = 4_000
      let sent = SentFrames()
      let heard = Task.detached { [server] in Self.hear(server, upTo: 4 * count + 256, behind: sent)
      }
      var random = SplitMix(seed: 2)
      var (next, disputed, orders) = (0, 0, 0)
      while next < count {
        // Only some cycles ahead.
        while Int64(4 * next) > claim.state.frame + 400 { usleep(20) }
        port.state.withLock { state in
          for number in next..<min(count, next + 60) {
            let message = Message(
              status: 0xE0, data1: UInt8(number & 127), data2: UInt8(number >> 7))
            let isTaken = state.queue.take(
              .message(message), at: Int64(4 * number), payloads: none.span)
            #expect(isTaken)
          }
          next = min(count, next + 60)
        }
        sent.frame.store(Int64(4 * next), ordering: .releasing)
        // This many commands fit between two cycles.
        let claimed = claim.state.frame
        while orders % 50 == 0, Int64(4 * next) >= claimed + 64, claim.state.frame == claimed {
          usleep(20)
        }
        let wanted = Int64(4 * next) - Int64(random.next() % 400)
        let first = port.state.withLock { $0.queue.cancel(from: wanted) }
        if first > wanted { disputed += 1 }
        orders += 1
        next = min(next, Int(max(0, first) + 3) / 4)
      }
      sent.frame.store(.max, ordering: .releasing)
      let numbers = await heard.value
      #expect(numbers.sorted() == Array(0..<count))
      // Otherwise the test would show nothing.
      #expect(disputed > 0)
    }

    @Test func `a command is before a cycle or after it`() {
      let claim = FrameClaim()
      #expect(claim.order() == 0)
      #expect(claim.claim(to: 64) == FrameClaim.State(frame: 0, orders: 1))
      #expect(claim.order() == 64)
      #expect(claim.order() == 64)
      #expect(claim.claim(to: 1_064) == FrameClaim.State(frame: 64, orders: 3))
      for _ in 3..<65_536 { _ = claim.order() }
      #expect(claim.state == FrameClaim.State(frame: 1_064, orders: 0))
      let years: Int64 = 20 * 366 * 86_400 * 192_000
      _ = claim.claim(to: years)
      #expect(claim.order() == years)
    }
  }
}
