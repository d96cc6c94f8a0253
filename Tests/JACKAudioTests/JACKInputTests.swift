// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import CJACK
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKTests {
  /// An input and an output of the same client, on a server whose cycles a test runs.
  @Suite struct JACKInputTests {
    private let server: FakeServer
    private let client: JACKClient
    private let output: JACKOutputUnit

    init() throws {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
      client = try FakeServer.client()
      output = JACKOutputUnit(on: client, to: .none)
    }

    /// A plan that counts frames, or plays a unit, with a limiter if it should have latency.
    private func plan(_ unit: (any ProcessingUnit)? = nil, isLate: Bool = false) throws
      -> RenderPlan
    {
      var graph = AudioGraph()
      var head = graph.add(unit ?? SignalUnit(.count))
      if isLate {
        let limiter = graph.add(LimiterUnit(rate: .hertz48000))
        try graph.connect(head, to: limiter)
        head = limiter
      }
      try graph.setHead(head)
      return try graph.compile()
    }

    private func connect(_ pairs: [(String, String)]) {
      server.connections = pairs
      server.wire()
      server.tellConnections()
      server.tellLatencies()
    }

    /// Bit for bit, except for the rounding of a limiter; two frames differ by ten times as much.
    private func isSame(_ sample: Float, _ other: Float, _ isLate: Bool) -> Bool {
      isLate ? abs(sample - other) < 1e-7 : sample == other
    }

    private func told(_ port: String) -> (playback: UInt32, capture: UInt32) {
      server.told.withLock { $0[port] } ?? (0, 0)
    }

    private static let loop = [("test:out_1", "test:in_1"), ("test:out_2", "test:in_2")]

    /// Runs cycles until the input has found the output and is read up to there.
    ///
    /// Returns the number of frames.
    private func begin(_ input: JACKInput, after frames: Int) async throws -> Int {
      var count = 0
      let knows = await wait {
        server.turn(64)
        return output.playbackLatency + input.latency == frames
      }
      #expect(knows, "\(output.playbackLatency) \(input.latency)")
      while true {
        let samples = try input.read()
        guard !samples.isEmpty else { return count }
        count += samples.count / 2
      }
    }

    /// Reports that must not change the source: other receivers of the output are late.
    @Test(arguments: [0, 480], [false, true])
    func `our output recorded by our input is aligned to the frame`(
      latency: Int, isLate: Bool
    ) async throws {
      server.playbackLatency = UInt32(latency)
      let input = try JACKInput(on: client, from: .none)
      #expect(input.place(on: output) == nil)
      try output.start(plan(isLate: isLate))
      connect(Self.loop)
      var frame = try await begin(input, after: 64)
      var last = 64
      for count in [64, 128, 256, 1_000, 1_024, 1_024, 65, 64, 2_048, 1_000, 1_024] {
        server.turn(count)
        #expect(output.playbackLatency + input.latency == last)
        let place = try #require(input.place(on: output)?.frames)
        let heard = try input.read()
        #expect(heard.count == 2 * count)
        // Frames beyond the length of the previous cycle are undefined.
        let areDue = (0..<min(count, last)).allSatisfy { index in
          let due = max(0, Int(place) + frame + index)
          return isSame(heard[2 * index], Float(due) / 1_000_000, isLate)
        }
        #expect(areDue, "\(count) frames after \(last)")
        frame += count
        last = count
      }
      // By the clocks, too.
      let line = try #require(output.clock?.timeline)
      let inLine = try #require(input.clock?.timeline)
      let played = line.timeRoundedUp(atCount: 10_000).nanoseconds
      let place = try #require(input.place(on: output)?.frames)
      let late = output.duty.graphLatency
      let came = inLine.timeRoundedUp(atCount: 10_000 - Int64(late) - place).nanoseconds
      let delay = Int64(latency) * 1_000_000_000 / 48_000
      #expect(abs(came - played - delay) <= 2)
      output.stop(draining: false)
    }

    @Test func `through another client it is as exact, if that is the only source`()
      async throws
    {
      // Both sides of the effect report its latency.
      server.effect = ("fx:in", "fx:out")
      server.playbackLatency = 300
      server.captureLatency = 300
      let input = try JACKInput(on: client, from: .none)
      try output.start(plan())
      connect([("test:out_1", "fx:in"), ("fx:out", "test:in_1"), ("fx:out", "test:in_2")])
      _ = try await begin(input, after: 300 + 64)
      server.turn(1_000)
      server.turn(1_000)
      #expect(output.playbackLatency + input.latency == 300 + 1_000)
      // With a microphone the source is unknown: the server's latency is used.
      server.connections.append(("card:out_1", "fx:in"))
      server.tellConnections()
      #expect(
        await wait {
          server.turn(64)
          return input.latency == 300
        })
      output.stop(draining: false)
    }

    @Test(arguments: [false, true])
    func `an input that an output plays is delayed by a quantum, bit for bit`(
      isLate: Bool
    ) throws {
      let source = JACKOutputUnit(on: client, to: .none, labels: ["tone", "tone"])
      try source.start(plan())
      let input = try JACKInput(on: client, from: .none, playedBy: output)
      let unit = try #require(input.unit)
      let plan = try plan(unit, isLate: isLate)
      try output.start(plan)
      connect([("test:tone_1", "test:in_1"), ("test:tone_2", "test:in_2")])
      var random = SplitMix(seed: 3)
      let counts =
        [64, 64, 128, 1_000, 1_024, 1, 63, 65, 7, 7, 7]
        + (0..<200).map { _ in 1 + Int(random.next() % 2_000) }
      let late = AudioFormat.quantum + plan.latency
      #expect((plan.latency > 0) == isLate)
      // The received value of each frame.
      var heard: [Float] = []
      var played: [Float] = []
      for (index, count) in counts.enumerated() {
        server.turn(count)
        heard += server.samples("in_1", count: count)
        played += server.samples("out_1", count: count)
        // The first cycle finds its position.
        guard index > 1 else { continue }
        let start = played.count - count
        let isPassed =
          start < late
          || (0..<count).allSatisfy { isSame(played[start + $0], heard[start + $0 - late], isLate) }
        #expect(isPassed, "turn \(index) of \(count)")
      }
      #expect(unit.missedFrameCount == 0 && unit.refusedFrameCount == 0)
      output.stop(draining: false)
      source.stop(draining: false)
    }

    @Test func `the latency of input that is played is reported in both directions`() async throws {
      server.captureLatency = 256
      server.playbackLatency = 512
      let input = try JACKInput(on: client, from: .none, playedBy: output)
      let plan = try plan(input.unit)
      try output.start(plan)
      server.connections = [("card:out_1", "test:in_1")]
      server.tellLatencies()
      #expect(told("out_1").capture == 256 + 64)
      #expect(told("in_1").playback == 512 + 64)
      // A plan whose latency grows reports it itself.
      try plan.edit { graph throws(GraphError) in
        guard let head = graph.head else { return }
        _ = try graph.insert(LimiterUnit(rate: .hertz48000), behind: head)
      }
      let passage = UInt32(64 + plan.latency)
      #expect(passage > 64)
      #expect(await wait { told("out_1").capture == 256 + passage })
      #expect(await wait { told("in_2").playback == 512 + passage })
      // The latency of a feedback loop does not grow each time.
      connect(Self.loop)
      #expect(await wait { told("out_1").capture == passage })
      output.stop(draining: false)
    }

    @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
    func `a cycle that is recorded and played allocates and locks nothing`() throws {
      let input = try JACKInput(on: client, from: .none, playedBy: output)
      try output.start(plan(input.unit))
      server.connections = []
      server.turn(1_000)
      callocationcounter_begin()
      for step in 0..<500 { server.turn(step % 7 == 0 ? 64 : 1_000) }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0)
      #expect(counts.frees == 0)
      #expect(counts.locks == 0)
      output.stop(draining: false)
    }

    @Test func `a server that ends between two ports is lost, instead of having too few`() throws {
      server.portRoom = 1
      #expect(throws: JACKError.lost(.jack)) { try output.start(plan()) }
      #expect(server.names.isEmpty)
      // A server that is running and refuses is reported as such.
      server.isUp.store(true, ordering: .releasing)
      server.portRoom = 0
      server.staysUp = true
      #expect(throws: JACKError.cannotRegister(port: "test:in_1")) {
        try JACKInput(on: client, from: .none)
      }
    }

    @Test func `a server that ends while a client is opened is lost`() throws {
      let server = server
      server.isUp.store(false, ordering: .releasing)
      #expect(throws: JACKError.lost(.jack)) { try FakeServer.client() }
    }
  }
}
