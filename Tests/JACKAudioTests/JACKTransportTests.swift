// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import CJACK
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// A song in the transport of a server whose cycles a test runs, sent to a port and an output.
  @Suite struct JACKTransportTests {
    private let server: FakeServer
    private let client: JACKClient
    private let output: JACKOutputUnit
    private let port: JACKOutputPort
    private let song: Song

    /// A follower of the transport that is stepped by hand.
    private final class Song {
      // 480 ticks of 333,333 µs per quarter note: 33.3333 frames of 48 kHz each.
      static let tempo = 333_333
      static let spacing = 7
      let scheduler: EventScheduler
      private let reference: ReferenceClock
      private let output: JACKOutputUnit

      init(_ transport: JACKTransport, _ output: JACKOutputUnit, _ port: JACKOutputPort) throws {
        let tempo = try #require(Tempo(microsecondsPerQuarter: Self.tempo))
        let map = try TempoMap(
          division: .ppqn(#require(PPQN(480))), changes: [TempoChange(tick: 0, tempo: tempo)])
        self.output = output
        reference = ReferenceClock(rate: output.format.rate, latency: output.latency)
        scheduler = EventScheduler(
          clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: Int64(Self.spacing))],
          router: Router(sinks: [try #require(output.inLine(port))]), reference: reference)
        let ahead = Duration.milliseconds(20) + .microseconds(output.latency * 1_000 / 48)
        (scheduler.lane.horizon, scheduler.lane.leastHorizon) = (ahead, ahead)
        scheduler.lane.master = ExternalClock(
          following: .jack(transport.follower()), tempoMap: map)
      }

      func step() throws {
        try scheduler.step(at: reference.look(output.clock, at: output.position))
      }

      /// The frames of events due from a frame of the transport on, counted from that frame.
      static func frames(from start: Int, count: Int) -> [Int] {
        let below = 480_000_000
        let first = (start * below + tempo * 48_000 - 1) / (tempo * 48_000)
        return (0..<count).map { place in
          let tick = ((first + spacing - 1) / spacing + place) * spacing
          return tick * tempo * 48_000 / below - start
        }
      }
    }

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      client = try FakeServer.client()
      output = JACKOutputUnit(on: client)
      port = try JACKOutputPort(on: client, name: "out")
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.count)))
      song = try Song(JACKTransport(of: client, with: output), output, port)
      try output.start(graph.compile())
    }

    /// Runs cycles and steps the song after every few; returns the sent events by the frames of the
    /// server.
    private func turns(_ count: Int, of frames: Int, steppingEach each: Int) throws -> [Int] {
      var left: [Int] = []
      for turn in 0..<count {
        let start = Int(server.frame)
        server.turn(frames)
        left += (server.buffer("out")?.messages ?? []).map { start + $0.frame }
        if turn % each == each - 1 { try song.step() }
      }
      return left
    }

    /// The frame at which the transport began to roll, and the events sent before and since.
    private func start(
      at place: Int, _ period: Int, steppingEach each: Int
    ) throws -> (frame: Int, before: [Int], left: [Int]) {
      server.transportFrame = UInt32(place)
      server.state = JackTransportStarting
      var before: [Int] = []
      for _ in 0..<1_000 where server.state == JackTransportStarting {
        before += try turns(1, of: period, steppingEach: 1)
        for _ in 1..<each where server.state == JackTransportStarting {
          before += try turns(1, of: period, steppingEach: .max)
        }
      }
      try #require(server.state == JackTransportRolling)
      let frame = Int(server.frame)
      return (frame, before, try turns(20_000 / period + 2, of: period, steppingEach: each))
    }

    @Test(arguments: [64, 128, 256, 1_000, 1_024], [0, 192_000, 191_993])
    func `events due at the transport's start leave at exactly that frame`(
      period: Int, place: Int
    ) throws {
      _ = try turns(5, of: period, steppingEach: 1)
      let started = try start(at: place, period, steppingEach: max(1, 480 / period))
      let expected = Song.frames(from: place, count: 40).map { started.frame + $0 }
      #expect(Array(started.left.prefix(40)) == expected)
      #expect(started.before.isEmpty)
      #expect(port.lateEventCount == 0)
    }

    @Test func `after waiting for others all events leave at the final start`() throws {
      server.othersAreReady = false
      _ = try turns(5, of: 256, steppingEach: 1)
      server.transportFrame = 192_000
      server.state = JackTransportStarting
      #expect(try turns(100, of: 256, steppingEach: 2).isEmpty)
      server.othersAreReady = true
      #expect(try turns(1, of: 256, steppingEach: 1).isEmpty)
      let frame = Int(server.frame)
      let left = try turns(60, of: 256, steppingEach: 2)
      #expect(
        Array(left.prefix(40)) == Song.frames(from: 192_000, count: 40).map { frame + $0 })
    }

    @Test func `the output's time pauses while the transport waits, and continues from a quantum`()
      throws
    {
      server.othersAreReady = false
      _ = try turns(3, of: 1_000, steppingEach: 1)
      // 3,000 frames were played, 3,008 are rendered.
      server.state = JackTransportStarting
      _ = try turns(7, of: 1_000, steppingEach: 1)
      #expect(output.position.frames == 3_008)
      server.othersAreReady = true
      _ = try turns(1, of: 1_000, steppingEach: 1)
      server.turn(1_000)
      let samples = server.samples("out_1", count: 1_000)
      // It continues 512 frames later.
      #expect(samples.first == Float(3_520) / 1_000_000)
      #expect(samples.last == Float(4_519) / 1_000_000)
      #expect(output.position.frames == 4_544)
    }

    @Test func `a locate while rolling cancels sent events, and continues at the frame`() throws {
      _ = try turns(5, of: 256, steppingEach: 1)
      _ = try start(at: 0, 256, steppingEach: 1)
      let moved = try start(at: 96_000, 256, steppingEach: 1)
      let expected = Song.frames(from: 96_000, count: 40).map { moved.frame + $0 }
      #expect(Array(moved.left.prefix(40)) == expected)
      // Events due within a quantum are already sent.
      #expect(moved.before.count <= 1, "\(moved.before)")
    }

    @Test func `a cancelled start does not send events`() throws {
      server.othersAreReady = false
      _ = try turns(5, of: 256, steppingEach: 1)
      server.state = JackTransportStarting
      _ = try turns(10, of: 256, steppingEach: 1)
      server.state = JackTransportStopped
      #expect(try turns(50, of: 256, steppingEach: 1).isEmpty)
      server.othersAreReady = true
      let started = try start(at: 48_000, 256, steppingEach: 1)
      let expected = Song.frames(from: 48_000, count: 40).map { started.frame + $0 }
      #expect(Array(started.left.prefix(40)) == expected)
    }

    @Test func `if a server does not wait, events are late but complete`() throws {
      _ = try turns(5, of: 256, steppingEach: 1)
      server.transportFrame = 192_000
      server.state = JackTransportRolling
      let frame = Int(server.frame)
      // The first step is after five cycles.
      let left = try turns(100, of: 256, steppingEach: 5)
      let expected = Song.frames(from: 192_000, count: 60).map { frame + $0 }
      let late = expected.count { $0 < frame + 6 * 256 }
      #expect(Array(left.prefix(60).dropFirst(late + 2)) == Array(expected.dropFirst(late + 2)))
      #expect(left.count > 60 && late > 0)
    }

    @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
    func `cycles in which the output waits, and the first after, allocate and lock nothing`() throws
    {
      _ = try turns(5, of: 256, steppingEach: 1)
      // The first pass creates the metadata of the types of this fake server.
      for isCounted in [false, true] {
        server.othersAreReady = false
        server.state = JackTransportStarting
        _ = try turns(4, of: 256, steppingEach: 1)
        callocationcounter_begin()
        for _ in 0..<100 { server.turn(256) }
        server.othersAreReady = true
        for _ in 0..<20 { server.turn(256) }
        let counts = callocationcounter_end()
        guard isCounted else { continue }
        #expect(counts.allocations == 0)
        #expect(counts.frees == 0)
        #expect(counts.locks == 0)
      }
      #expect(server.state == JackTransportRolling)
    }

    @Test func `a transport without a follower is ready at once`() throws {
      let other = try JACKTransport(of: client)
      server.state = JackTransportStarting
      server.turn(256)
      #expect(server.state == JackTransportRolling)
      withExtendedLifetime(other) {}
    }
  }
}
