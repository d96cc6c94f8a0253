// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MusicalTime
import TestSupport
import Testing

/// Paths of different latency through a graph that meet at the same frame.
@Suite struct LatencyTests {
  /// Delays its input by a number of frames that can change.
  @safe
  private final class LateUnit: ProcessingUnit {
    @safe
    private struct Kernel: ~Copyable {
      let ring: UnsafeMutablePointer<Float>
      let frames: UnsafeMutablePointer<Int>
      var place = 0

      static let function: RenderStep.Function = { kernel, block in
        let kernel = unsafe kernel.assumingMemoryBound(to: Kernel.self)
        unsafe kernel.pointee.render(block.assumingMemoryBound(to: RenderBlock.self).pointee)
      }

      mutating func render(_ block: RenderBlock) {
        for frame in 0..<AudioFormat.quantum {
          for channel in 0..<2 {
            unsafe ring[(place + frame) & 16_383 + channel * 16_384] =
              block.input(0).channel(channel)[frame]
            unsafe block.output(0).channel(channel)[frame] =
              ring[(place + frame - frames.pointee) & 16_383 + channel * 16_384]
          }
        }
        place += AudioFormat.quantum
      }
    }

    let name: String
    let inputChannelCounts = [2]
    let outputChannelCounts = [2]
    let latencyVaries = true
    private let kernel: KernelBox<Kernel>
    private let ring: UnsafeMutablePointer<Float>
    private let frames: UnsafeMutablePointer<Int>

    init(_ frames: Int, name: String = "late") {
      self.name = name
      unsafe ring = .allocate(capacity: 2 * 16_384)
      unsafe ring.initialize(repeating: 0, count: 2 * 16_384)
      unsafe self.frames = .allocate(capacity: 1)
      unsafe self.frames.initialize(to: frames)
      kernel = unsafe KernelBox(Kernel(ring: ring, frames: self.frames), Kernel.function)
    }

    deinit {
      unsafe ring.deallocate()
      unsafe frames.deallocate()
    }

    var latency: Int {
      get { unsafe frames.pointee }
      set { unsafe frames.pointee = newValue }
    }

    var step: RenderStep { kernel.step }
  }

  /// A source on the strips of a mixer, directly and through units; the last strip is inverted, so
  /// that two aligned strips cancel to silence.
  private struct Parallel {
    let plan: RenderPlan
    let mixer: AudioGraph.Node
    let source: AudioGraph.Node
    let strips: MixerUnit

    init(_ units: [any ProcessingUnit], of unit: any ProcessingUnit) throws {
      var graph = AudioGraph()
      strips = MixerUnit(stripCount: 1 + units.count, rate: Rate.studio)
      mixer = graph.add(strips)
      source = graph.add(unit)
      for (index, unit) in units.enumerated() {
        let node = graph.add(unit)
        try graph.connect(source, to: node)
        try graph.connect(node, to: mixer, input: 1 + index)
      }
      let inverter = graph.add(Inverter.unit())
      try graph.connect(source, to: inverter)
      try graph.connect(inverter, to: mixer)
      try graph.setHead(mixer)
      plan = try graph.compile()
    }
  }

  @Test(arguments: [1, 63, 64, 65, 1000, 5000])
  func `a dry path and a late one cancel each other to the sample`(latency: Int) throws {
    let rig = try Parallel([LateUnit(latency)], of: SignalUnit(.count))
    #expect(rig.plan.latency == latency)
    let heard = PlanListener(rig.plan).render(quanta: 200)
    #expect(heard.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test func `the units of this module are compensated`() throws {
    let limiter = LimiterUnit(rate: Rate.studio)
    let compressor = CompressorUnit(lookAhead: 200, rate: Rate.studio)
    compressor[.ratio] = 1
    for (unit, latency) in [(limiter as any ProcessingUnit, 64), (compressor, 200)] {
      let rig = try Parallel([unit], of: SignalUnit.tone(440, amplitude: 0.25))
      #expect(rig.plan.latency == latency)
      let heard = PlanListener(rig.plan).render(quanta: 1000)[0].dropFirst(60_000)
      let loudest = heard.map(abs).max() ?? 0
      #expect(loudest < 1e-6, "\(unit.name)")
      // Without the delay they would not cancel.
      #expect(rig.plan.graph.nodes.count == 4)
    }
  }

  @Test func `several paths meet, one after another and in inner graphs`() throws {
    let inlet = SubgraphUnit.Inlet()
    let inner = MixerUnit(name: "inner", stripCount: 2, rate: Rate.studio)
    inner.sum.gain = 0.5
    var graph = AudioGraph()
    let sum = graph.add(inner)
    let start = graph.add(inlet)
    let late = graph.add(LateUnit(100))
    try graph.connect(start, to: late)
    try graph.connect(late, to: sum)
    try graph.connect(start, to: sum, input: 1)
    try graph.setHead(sum)
    let group = try SubgraphUnit(name: "group", graph, inlets: [inlet])
    #expect(group.latency == 100)
    // Three of four strips are inverted: the rest is twice the source.
    let rig = try Parallel([LateUnit(300), group, LateUnit(7)], of: SignalUnit(.count))
    #expect(rig.plan.latency == 300)
    let heard = PlanListener(rig.plan).render(quanta: 20)[0]
    // The inner mixer's gain changes during the first 240 frames.
    let wrong = (600..<1280).filter {
      abs(heard[$0] - 2 * Float($0 - 300) / 1_000_000) >= 1e-9
    }
    #expect(wrong.isEmpty)
    #expect(heard[..<300].allSatisfy { $0 == 0 })
  }

  @Test func `a graph without latency gets no delay, and renders as before`() throws {
    let rig = try Parallel([MixerUnit(stripCount: 1, rate: Rate.studio)], of: SignalUnit(.count))
    #expect(rig.plan.latency == 0 && !rig.plan.latencyVaries)
    #expect(PlanListener(rig.plan).render(quanta: 4)[0].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(64, 512), (512, 64), (0, 300), (300, 0), (100, 9000)])
  func `a latency that changes is followed without a click, and ends aligned`(
    before: Int, after: Int
  ) throws {
    let late = LateUnit(before)
    let rig = try Parallel([late], of: SignalUnit.tone(440, amplitude: 0.5))
    rig.strips[1].gain = 0
    let listener = PlanListener(rig.plan)
    listener.render(quanta: 50)
    #expect(try !rig.plan.followLatencies())
    late.latency = after
    #expect(try rig.plan.followLatencies())
    #expect(rig.plan.latency == after)
    let heard = listener.render(quanta: 300)[0]
    // A sine of 440 Hz moves by 0.029 per frame; a fade of 5 ms adds 0.008.
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.05 })
    rig.strips[1].gain = 1
    listener.render(quanta: 200)
    #expect(listener.render(quanta: 50)[0].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func `inserting or removing a unit during playback keeps the rest aligned`() throws {
    let rig = try Parallel([LateUnit(0)], of: SignalUnit.tone(440, amplitude: 0.5))
    let listener = PlanListener(rig.plan)
    #expect(listener.render(quanta: 10)[0].allSatisfy { $0 == 0 })
    let limiter = LateUnit(640, name: "second")
    let node = try rig.plan.edit { graph throws(GraphError) in
      try graph.disconnect(rig.mixer, input: 1)
      let node = graph.add(limiter)
      try graph.connect(rig.source, to: node)
      try graph.connect(node, to: rig.mixer, input: 1)
      return node
    }
    #expect(rig.plan.latency == 640)
    listener.render(quanta: 40)
    #expect(listener.render(quanta: 20)[0].allSatisfy { abs($0) < 1e-6 })
    try rig.plan.edit { graph throws(GraphError) in
      try graph.remove(node)
      try graph.connect(rig.source, to: rig.mixer, input: 1)
    }
    listener.render(quanta: 40)
    #expect(rig.plan.latency == 0)
    #expect(listener.render(quanta: 20)[0].allSatisfy { abs($0) < 1e-6 })
    #expect(
      zip(listener.channels[0], listener.channels[0].dropFirst()).allSatisfy {
        abs($0 - $1) < 0.05
      })
  }

  @Test func `live sound is not delayed, and delays nothing else`() throws {
    let input = InputUnit(clock: .same, heldFrames: 64, isLive: true, rate: Rate.studio)
    let mixer = MixerUnit(stripCount: 3, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let source = graph.add(SignalUnit(.count))
    let late = graph.add(LateUnit(1000))
    try graph.connect(source, to: late)
    try graph.connect(late, to: head)
    try graph.connect(source, to: head, input: 1)
    // A live path with a latency.
    let shaped = graph.add(LateUnit(10, name: "shaped"))
    try graph.connect(graph.add(input), to: shaped)
    try graph.connect(shaped, to: head, input: 2)
    try graph.setHead(head)
    let plan = try graph.compile()
    #expect(plan.latency == 1000)
    input.write([Float](repeating: 0.5, count: 4 * 64).span)
    let heard = PlanListener(plan).render(quanta: 20)[0]
    #expect(heard[9] == 0 && heard[10] == 0.5 && heard[73] == 0.5)
    let wrong = (1000..<1280).filter {
      abs(heard[$0] - 2 * Float($0 - 1000) / 1_000_000) >= 1e-9
    }
    #expect(wrong.isEmpty)
  }

  @Test func `offline, a file starts in time, and stays in time when the latency changes`() throws {
    let late = LateUnit(500)
    let rig = try Parallel([late], of: SignalUnit(.count))
    rig.strips[0].gain = 0
    let renderer = OfflineRenderer(plan: rig.plan, rate: Rate.studio)
    var heard: [Float] = []
    var quanta = 0
    try renderer.render(upTo: SampleTime(frames: 20_000)) { _ in
      quanta += 1
      if quanta == 100 { late.latency = 900 }
      if quanta == 200 { late.latency = 30 }
      return true
    } take: { samples in
      for index in stride(from: 0, to: samples.count, by: 2) { heard.append(samples[index]) }
    }
    #expect(heard.count == 20_000)
    func isInTime(_ frames: Range<Int>) -> Bool {
      frames.allSatisfy { abs(heard[$0] - Float($0) / 1_000_000) < 1e-9 }
    }
    #expect(isInTime(0..<5800) && isInTime(7000..<11_800) && isInTime(14_000..<20_000))
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `delays and their changes allocate and lock nothing while they render`() throws {
    let late = LateUnit(300)
    let rig = try Parallel([late, LateUnit(20)], of: SignalUnit(.count))
    var counts = CAllocationCounts()
    // The first call creates the metadata of the types used by the test's units.
    rig.plan.render(at: 0)
    for block in 1..<40 {
      if block == 10 { late.latency = 800 }
      try rig.plan.followLatencies()
      callocationcounter_begin()
      rig.plan.render(at: SampleTime(frames: Int64(block * 64)))
      let one = callocationcounter_end()
      counts.allocations += one.allocations
      counts.frees += one.frees
      counts.locks += one.locks
    }
    #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0)
  }
}
