// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// Features of a plan besides sound: faults, load, taps, notifications, inner graphs.
@Suite struct PlanTests {
  @Test func `a unit with invalid samples is silenced and counted, and harms no filter`() throws {
    let source = SignalUnit(.alternating(.nan, .infinity), name: "broken")
    let filter = EqualizerUnit(bands: [.lowShelf, .peaking], rate: Rate.studio)
    let listener = try PlanListener(source, through: filter)
    #expect(listener.render(quanta: 10)[0].allSatisfy { $0 == 0 })
    #expect(listener.plan.faultySampleCount == 1280)
    #expect(listener.plan.reports.map(\.faultySampleCount).sorted() == [0, 1280])
    source.signal = .constant(0.5)
    #expect(listener.render(quanta: 1)[0].allSatisfy { $0 == 0.5 })
  }

  @Test func `one bad sample among good ones is the only one silenced`() throws {
    let source = SignalUnit(.alternating(.nan, 0.25))
    let listener = try PlanListener(source)
    let heard = listener.render(quanta: 1)[0]
    #expect(heard == (0..<64).map { $0 % 2 == 0 ? 0 : 0.25 })
    source.signal = .alternating(.greatestFiniteMagnitude, 0.25)
    #expect(listener.render(quanta: 1)[0] == heard)
  }

  @Test func `load is measured only when asked for`() throws {
    let listener = try PlanListener(
      SignalUnit(.constant(0.5)), through: MixerUnit(stripCount: 1, rate: Rate.studio))
    listener.render(quanta: 10)
    #expect(listener.plan.reports.allSatisfy { $0.timedQuantumCount == 0 })
    listener.plan.measuresLoad = true
    listener.render(quanta: 10)
    listener.plan.measuresLoad = false
    listener.render(quanta: 10)
    for report in listener.plan.reports {
      #expect(report.timedQuantumCount == 10)
      #expect(report.meanNanoseconds > 0)
      #expect(Double(report.longestNanoseconds) >= report.meanNanoseconds)
    }
  }

  @Test func `denormal numbers count as zero, on this thread only while it renders`() throws {
    let tiny = Float.leastNormalMagnitude
    let mixer = MixerUnit(stripCount: 1, rate: Rate.studio)
    mixer[0].gain = 0.25
    let listener = try PlanListener(SignalUnit(.constant(tiny)), through: mixer)
    #expect(listener.render(quanta: 10)[0][500] == 0)
    var half = tiny
    half /= 4
    #expect(half.isSubnormal)
  }

  @Test func `a meter and a recording tap read a bus without changing it`() throws {
    let source = SignalUnit(.count)
    let meter = MeterTap(rate: Rate.studio)
    let tap = RecordingTap(capacity: 1024)
    var graph = AudioGraph()
    let head = graph.add(source)
    try graph.connect(head, to: graph.add(meter))
    try graph.connect(head, to: graph.add(tap))
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    listener.render(quanta: 10)
    #expect(meter.level(of: 1).maximum == Float(639) / 1_000_000)
    var fetched: [Float] = []
    #expect(tap.fetch(upTo: 100) { fetched.append($0) } == 100)
    #expect(tap.fetch { fetched.append($0) } == 540)
    #expect(fetched.count == 1280)
    #expect(fetched[1278] == Float(639) / 1_000_000)
    #expect(fetched[1279] == -Float(639) / 1_000_000)
    listener.render(quanta: 20)
    #expect(tap.droppedFrameCount == 256)
  }

  @Test func `notifications run before and after all units`() throws {
    let log = UnsafeMutablePointer<[Int]>.allocate(capacity: 1)
    unsafe log.initialize(to: [])
    defer { unsafe log.deinitialize(count: 1).deallocate() }
    let note: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void = { log, block in
      let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
      unsafe log.assumingMemoryBound(to: [Int].self).pointee.append(
        10 * Int(block.start.frames) + block.outputCount)
    }
    var graph = AudioGraph()
    _ = graph.addCloser(unsafe FunctionUnit(name: "after", context: log, note))
    let head = graph.add(unsafe FunctionUnit(name: "head", outputs: [1], context: log, note))
    try graph.setHead(head)
    _ = graph.addOpener(unsafe FunctionUnit(name: "before", context: log, note))
    let plan = try graph.compile()
    plan.render(at: 64)
    #expect(unsafe log.pointee == [640, 641, 640])
  }

  @Test func `a graph contains another, and each can be rewired`() throws {
    let inlet = SubgraphUnit.Inlet()
    let effect = MixerUnit(name: "effect", stripCount: 2, rate: Rate.studio)
    effect.sum.gain = 0.5
    var inner = AudioGraph()
    let place = inner.add(effect)
    try inner.connect(inner.add(inlet), to: place)
    try inner.setHead(place)
    let unit = try SubgraphUnit(name: "group", inner, inlets: [inlet])
    let listener = try PlanListener(SignalUnit(.constant(0.5)), through: unit)
    #expect(listener.render(quanta: 10)[0][600] == 0.25)
    try unit.plan.edit { graph throws(GraphError) in
      try graph.connect(graph.add(SignalUnit(.constant(0.25))), to: place, input: 1)
    }
    #expect(listener.render(quanta: 10)[0][600] == 0.375)
  }

  @Test func `the latency of a plan is that of its longest path`() throws {
    let first = LimiterUnit(rate: Rate.studio)
    let second = LimiterUnit(rate: Rate.studio)
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let source = graph.add(SignalUnit(.constant(0)))
    let head = graph.add(mixer)
    let one = graph.add(first)
    let two = graph.add(second)
    try graph.connect(source, to: one)
    try graph.connect(one, to: two)
    try graph.connect(two, to: head)
    try graph.connect(source, to: head, input: 1)
    try graph.setHead(head)
    #expect(try graph.compile().latency == 128)
  }
}
