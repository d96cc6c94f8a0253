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

/// Tests that share the only server of the process; they are serialized.
@Suite(.serialized) enum JACKTests {}

extension JACKTests {
  /// An output on a server whose cycles a test runs.
  @Suite struct JACKOutputUnitTests {
    private let server: FakeServer

    init() {
      unsafe FakeServer.current = FakeServer()
      server = unsafe FakeServer.current
    }

    private func plan(_ signal: SignalUnit.Signal = .count) throws -> RenderPlan {
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(signal)))
      return try graph.compile()
    }

    private func output(_ client: JACKClient) throws -> JACKOutputUnit {
      let output = JACKOutputUnit(on: client)
      try output.start(plan())
      return output
    }

    /// True if a port's last cycle has consecutive frames from the given one on.
    private func holds(_ count: Int, from frame: Int) -> Bool {
      let left = server.samples("out_1", count: count)
      let right = server.samples("out_2", count: count)
      return left.count == count
        && (0..<count).allSatisfy {
          left[$0] == Float(frame + $0) / 1_000_000 && right[$0] == -left[$0]
        }
    }

    @Test func `cycles of any length are cut from the same quanta`() throws {
      let client = try FakeServer.client()
      let output = try output(client)
      var random = SplitMix(seed: 7)
      var frame = 0
      for count in [1, 63, 64, 65, 128, 1_000, 1_024, 8_192, 0]
        + (0..<200).map({ _ in Int(random.next() % 2_000) })
      {
        server.turn(count)
        #expect(holds(count, from: frame), "\(count) frames from \(frame)")
        frame += count
        #expect(output.position.frames == Int64((frame + 63) / 64 * 64))
      }
      output.stop(draining: false)
    }

    @Test func `each channel is connected to one of the card's ports, and one channel to two`()
      throws
    {
      let client = try FakeServer.client()
      let stereo = try output(client)
      #expect(server.connections.map(\.0) == ["test:out_1", "test:out_2"])
      #expect(server.connections.map(\.1) == ["card:in_1", "card:in_2"])
      stereo.stop(draining: false)
      #expect(server.names.isEmpty)
      server.connections = []
      let mono = JACKOutputUnit(on: client, channelCount: 1)
      var graph = AudioGraph()
      let converter = ChannelConverterUnit(from: 2, to: 1, rate: .hertz48000)
      let head = graph.add(converter)
      try graph.connect(graph.add(SignalUnit(.count)), to: head)
      try graph.setHead(head)
      try mono.start(graph.compile())
      #expect(server.connections.map(\.0) == ["test:out_1", "test:out_1"])
      mono.stop(draining: false)
    }

    @Test func `the server's times are the clock, and its latency the delay`() throws {
      server.playbackLatency = 480
      let client = try FakeServer.client()
      let output = try output(client)
      for _ in 0..<10 { server.turn(1_000) }
      let clock = try #require(output.clock)
      #expect(clock.delay == 10_000_000)
      #expect(output.playbackLatency == 480)
      // The last cycle started at frame 9000; 1000 frames are 20.833 ms.
      let start = clock.timeline.timeRoundedUp(atCount: 9_000).nanoseconds
      let next = clock.timeline.timeRoundedUp(atCount: 10_000).nanoseconds
      #expect(abs(next - start - Int64(server.bufferFrames) * 1_000_000_000 / 48_000) < 1_000)
      #expect(clock.epoch == 1)
      // Frames that the server skipped are not counted: the line restarts, the song continues.
      server.frame += 2_000
      server.turn(1_000)
      #expect(output.clock?.epoch == 2)
      #expect(holds(1_000, from: 10_000))
      output.stop(draining: false)
    }

    @Test func `at another rate the output is silent and waits`() throws {
      let client = try FakeServer.client()
      let output = try output(client)
      server.turn(1_024)
      server.change(rate: 44_100)
      #expect(output.isAway)
      server.turn(1_024)
      #expect(server.samples("out_1", count: 1_024).allSatisfy { $0 == 0 })
      server.change(rate: 48_000)
      #expect(!output.isAway)
      server.turn(1_024)
      #expect(holds(1_024, from: 1_024))
      server.tellXrun()
      #expect(output.xrunCount == 1)
      output.stop(draining: false)
    }

    @Test func `the song continues at its position when the server is back`()
      async throws
    {
      let client = try FakeServer.client()
      let output = try output(client)
      server.turn(1_000)
      server.isUp.store(false, ordering: .releasing)
      server.die()
      #expect(await wait { output.isAway })
      #expect(output.fault == nil)
      server.connections = []
      server.isUp.store(true, ordering: .releasing)
      #expect(await wait { !output.isAway })
      #expect(server.connections.count == 2)
      server.turn(1_000)
      #expect(holds(1_000, from: 1_000))
      output.stop(draining: false)
    }

    @Test func `a server that does not return is reported`() async throws {
      let client = try FakeServer.client(patience: 0)
      let output = try output(client)
      server.turn(64)
      server.isUp.store(false, ordering: .releasing)
      server.die()
      #expect(await wait { output.fault != nil })
      #expect(output.fault as? JACKError == .lost(.jack))
      #expect("\(JACKError.lost(.jack))" == "JACK: the server has stopped")
      output.stop(draining: true)
    }

    @Test func `faster than real time, events are processed before each cycle`() throws {
      let client = try FakeServer.client()
      let output = JACKOutputUnit(on: client)
      let hurries = Hurries()
      output.catchUp { hurries.count += 1 }
      try output.start(plan())
      server.turn(1_024)
      #expect(hurries.count == 0)
      let epoch = output.clock?.epoch
      server.setFreewheel(true)
      for _ in 0..<3 { server.turn(1_024) }
      #expect(hurries.count == 3)
      #expect(output.clock?.epoch == epoch)
      #expect(holds(1_024, from: 3_072))
      server.setFreewheel(false)
      server.turn(1_024)
      #expect(output.clock?.epoch != epoch)
      output.stop(draining: false)
    }

    private final class Hurries: @unchecked Sendable {
      // Unchecked: the test's own thread runs the cycles.
      var count = 0
    }

    @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
    func `a cycle allocates and locks nothing`() throws {
      let client = try FakeServer.client()
      let output = try output(client)
      let transport = try JACKTransport(
        of: client, leading: .init(tempoMap: TempoMap(ppqn: .standard), meterMap: .common))
      server.turn(1_000)
      server.state = JackTransportRolling
      callocationcounter_begin()
      for step in 0..<500 { server.turn(step % 7 == 0 ? 64 : 1_000) }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0)
      #expect(counts.frees == 0)
      #expect(counts.locks == 0)
      #expect(transport.leadsBars)
      output.stop(draining: false)
    }
  }
}
