// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

@Suite struct MovableOutputUnitTests {
  /// A simulated device: the test renders its cycles, and removes and restores it.
  private final class HandOutput: OutputUnit, @unchecked Sendable {
    // Unchecked: a test renders cycles only while no other thread moves the plan.
    let format = AudioFormat(rate: Rate.studio)
    let periodFrames = 64
    let latency = 64
    let clock: SampleClock? = nil
    var fault: (any Error)? { nil }
    let refuses: Bool
    let isAwayNow = Atomic(false)
    let startCount = Atomic(0)
    let stopCount = Atomic(0)
    private let reached = Atomic<Int64>(0)
    private var plan: RenderPlan?
    var heard: [Float] = []

    init(refuses: Bool = false) { self.refuses = refuses }

    struct Refusal: Error {}

    var isAway: Bool { isAwayNow.load(ordering: .acquiring) }
    var position: SampleTime { SampleTime(frames: reached.load(ordering: .acquiring)) }

    func start(_ plan: RenderPlan, at frame: SampleTime) throws {
      if refuses { throw Refusal() }
      self.plan = plan
      reached.store(frame.frames, ordering: .releasing)
      startCount.add(1, ordering: .releasing)
    }

    func stop(draining: Bool) {
      plan = nil
      stopCount.add(1, ordering: .releasing)
    }

    func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? {
      nil
    }

    func turn() {
      guard let plan else { return }
      plan.render(at: position)
      for frame in 0..<64 { unsafe heard.append(plan.output.channel(0)[frame]) }
      reached.add(64, ordering: .releasing)
    }
  }

  private func plan() throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(.count)))
    return try graph.compile()
  }

  @Test func `if a device is lost the sound continues with another, at its next frame`()
    async throws
  {
    let (first, second) = (HandOutput(), HandOutput())
    let output = MovableOutputUnit(first) { lost in lost === first ? second : nil }
    try output.start(plan())
    for _ in 0..<3 { first.turn() }
    #expect(output.position.frames == 192 && !output.isAway)
    first.isAwayNow.store(true, ordering: .releasing)
    #expect(output.isAway && output.fault == nil)
    #expect(
      await wait(until: { second.startCount.load(ordering: .acquiring) == 1 && !output.isAway }))
    #expect(first.stopCount.load(ordering: .acquiring) == 1)
    #expect(output.position.frames == 192 && output.current === second)
    for _ in 0..<3 { second.turn() }
    #expect(first.heard + second.heard == (0..<384).map { Float($0) / 1_000_000 })
    output.stop(draining: false)
    #expect(second.stopCount.load(ordering: .acquiring) == 1)
  }

  @Test func `a device that returns before a replacement is found continues to play`()
    async throws
  {
    let (first, asked) = (HandOutput(), Counter())
    let output = MovableOutputUnit(first) { _ in
      asked.count.add(1, ordering: .releasing)
      return nil
    }
    try output.start(plan())
    first.turn()
    first.isAwayNow.store(true, ordering: .releasing)
    #expect(await wait(until: { asked.count.load(ordering: .acquiring) >= 2 }))
    first.isAwayNow.store(false, ordering: .releasing)
    #expect(!output.isAway && output.current === first)
    first.turn()
    #expect(first.heard.count == 128 && first.stopCount.load(ordering: .acquiring) == 0)
    output.stop(draining: false)
  }

  @Test func `a replacement of another format, or that cannot start, is reported`() async throws {
    let (first, mono) = (
      HandOutput(), NullOutputUnit(format: AudioFormat(rate: Rate.studio, channelCount: 1))
    )
    nonisolated(unsafe) let unsuitable = mono
    let refusing = HandOutput(refuses: true)
    let turn = Counter()
    let output = MovableOutputUnit(first) { _ in
      turn.count.add(1, ordering: .releasing)
      return turn.count.load(ordering: .acquiring) == 1 ? unsafe unsuitable : refusing
    }
    try output.start(plan())
    first.isAwayNow.store(true, ordering: .releasing)
    #expect(await wait(until: { output.fault is HandOutput.Refusal }))
    #expect(output.current === refusing && !output.isAway)
    output.stop(draining: false)
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
  }
}
