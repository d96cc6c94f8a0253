// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Changes to a graph during playback.
@Suite struct RewiringTests {
  private let mixer = MixerUnit(stripCount: 4, rate: Rate.studio)

  /// A mixer with a constant on its first strip.
  private func wired() throws -> (plan: RenderPlan, head: AudioGraph.Node, source: AudioGraph.Node)
  {
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let source = graph.add(SignalUnit(.constant(0.5), name: "first"))
    try graph.connect(source, to: head)
    try graph.setHead(head)
    return (try graph.compile(), head, source)
  }

  @Test func `a connection fades in and out in 5 ms and units go on`() throws {
    let (plan, head, _) = try wired()
    let listener = PlanListener(plan)
    listener.render(quanta: 2)
    let counter = SignalUnit(.count, name: "second")
    let second = try plan.edit { graph throws(GraphError) in
      let node = graph.add(counter)
      try graph.connect(node, to: head, input: 1)
      return node
    }
    let rising = listener.render(quanta: 8)[0]
    #expect(rising[0] < 0.5001)
    for frame in 240..<512 { #expect(rising[frame] == 0.5 + Float(128 + frame) / 1_000_000) }
    try plan.edit { graph throws(GraphError) in try graph.remove(second) }
    let falling = listener.render(quanta: 8)[0]
    #expect(falling[240...].allSatisfy { $0 == 0.5 })
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 - 1e-5 })
  }

  @Test func `an edit that cannot be compiled changes nothing and throws the reason`() throws {
    let (plan, head, source) = try wired()
    let listener = PlanListener(plan)
    let error = #expect(throws: GraphError.self) {
      try plan.edit { graph throws(GraphError) in
        try graph.remove(source)
        let filter = graph.add(EqualizerUnit(bands: [.peaking], rate: Rate.studio))
        try graph.connect(filter, to: head)
      }
    }
    #expect(
      error?.description == "equaliser: input 0 is not connected (connect it, or remove the unit)")
    #expect(plan.graph.nodes.count == 2)
    #expect(listener.render(quanta: 10)[0].allSatisfy { $0 == 0.5 })
  }

  @Test func `second heads, cycles, foreign nodes, other rates and doubles are refused`() throws {
    let (plan, head, source) = try wired()
    #expect(throws: GraphError.secondHead(unit: "first", first: "mixer")) {
      try plan.edit { graph throws(GraphError) in try graph.setHead(source) }
    }
    #expect(throws: GraphError.cycle(through: ["mixer", "equaliser", "mixer"])) {
      try plan.edit { graph throws(GraphError) in
        let node = graph.add(EqualizerUnit(bands: [.peaking], rate: Rate.studio))
        try graph.connect(head, to: node)
        try graph.connect(node, to: head, input: 1)
      }
    }
    var other = AudioGraph()
    let foreign = other.add(SignalUnit(.count))
    #expect(throws: GraphError.noSuchNode) {
      try plan.edit { graph throws(GraphError) in try graph.connect(foreign, to: head, input: 1) }
    }
    let rate = try #require(SampleRate(hertz: 44_100))
    let error = #expect(throws: GraphError.self) {
      try plan.edit { graph throws(GraphError) in
        let node = graph.add(MixerUnit(name: "other", stripCount: 1, rate: rate))
        try graph.connect(node, to: head, input: 1)
      }
    }
    #expect(error?.description == "mixer: runs at 48000 Hz, but other runs at 44100 Hz")
    #expect(throws: GraphError.unitTwice("mixer")) {
      try plan.edit { graph throws(GraphError) in
        let node = graph.add(mixer)
        try graph.connect(node, to: head, input: 1)
      }
    }
    #expect(throws: GraphError.headMismatch(unit: "generator", channelCount: 1, expected: 2)) {
      try plan.edit { graph throws(GraphError) in
        graph.removeHead()
        try graph.setHead(graph.add(GeneratorUnit(.sine, rate: Rate.studio)))
      }
    }
  }

  @Test func `two units that change places fade out and in, since both ways make a cycle`() throws {
    let first = MixerUnit(name: "a", stripCount: 1, rate: Rate.studio)
    let second = MixerUnit(name: "b", stripCount: 1, rate: Rate.studio)
    first.sum.gain = 0.5
    var graph = AudioGraph()
    let source = graph.add(SignalUnit(.constant(1)))
    let a = graph.add(first)
    let b = graph.add(second)
    try graph.connect(source, to: a)
    try graph.connect(a, to: b)
    try graph.setHead(b)
    let listener = PlanListener(try graph.compile())
    listener.render(quanta: 10)
    try listener.plan.edit { graph throws(GraphError) in
      try graph.disconnect(a)
      try graph.disconnect(b)
      graph.removeHead()
      try graph.connect(source, to: b)
      try graph.connect(b, to: a)
      try graph.setHead(a)
    }
    let heard = listener.render(quanta: 12)[0]
    #expect(heard[0] > 0.49)
    #expect(heard[255] < 0.01)
    #expect(heard[512...].allSatisfy { $0 == 0.5 })
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
  }

  @Test func `edits made during a fade, or before the next render, have the right result`() throws {
    let (plan, head, _) = try wired()
    let listener = PlanListener(plan)
    for round in 0..<50 {
      let node = try plan.edit { graph throws(GraphError) in
        let node = graph.add(SignalUnit(.constant(0.25)))
        try graph.connect(node, to: head, input: 1)
        return node
      }
      listener.render(quanta: round % 7)
      try plan.edit { graph throws(GraphError) in try graph.remove(node) }
      listener.render(quanta: round % 3)
    }
    #expect(listener.render(quanta: 16)[0][512...].allSatisfy { $0 == 0.5 })
    #expect(listener.channels[0].allSatisfy { $0 >= 0.4999 && $0 <= 0.7501 })
  }

  /// Ten thousand rewirings in `make test-long`.
  @Test func `a thousand rewirings under load put nothing above 8 kHz into a tone of 220 Hz`()
    throws
  {
    let tone = GeneratorUnit(.sine, rate: Rate.studio)
    tone[.frequency] = 220
    tone[.level] = 1
    let stereo = ChannelConverterUnit(from: 1, to: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let source = graph.add(stereo)
    try graph.connect(graph.add(tone), to: source)
    try graph.connect(source, to: head)
    try graph.setHead(head)
    let plan = try graph.compile()
    var frame: Int64 = 0
    var left: [Float] = []
    var worst = 0.0
    weak var removed: EqualizerUnit?
    for round in 0..<(LongTests.areWanted ? 10_000 : 1_000) {
      try plan.edit { graph throws(GraphError) in
        try graph.disconnect(head)
        if let old = graph.source(of: head, input: 1)?.node, old != source { try graph.remove(old) }
        try graph.disconnect(head, input: 1)
        let unit = EqualizerUnit(bands: [.peaking], rate: Rate.studio)
        removed = unit
        let node = graph.add(unit)
        try graph.connect(source, to: node)
        try graph.connect(round % 3 == 0 ? source : node, to: head)
        try graph.connect(node, to: head, input: 1)
      }
      for _ in 0..<1 + round % 9 {
        plan.render(at: SampleTime(frames: frame))
        frame += 64
        for index in 0..<64 { left.append(plan.output[0, index]) }
      }
      if left.count >= 4096 {
        let spectrum = Spectrum(left, hertz: 48_000)
        worst = max(worst, spectrum.rms(in: 8_000..<24_000))
        left.removeAll(keepingCapacity: true)
      }
    }
    #expect(decibels(worst) < -80, "\(decibels(worst)) dBFS")
    #expect(worst > 0)
    try plan.edit { graph throws(GraphError) in
      if let old = graph.source(of: head, input: 1)?.node { try graph.remove(old) }
      try graph.disconnect(head)
      try graph.connect(source, to: head)
    }
    for _ in 0..<16 {
      plan.render(at: SampleTime(frames: frame))
      frame += 64
    }
    plan.reclaim()
    #expect(removed == nil)
  }

  @Test func `a thousand rewirings while a thread renders have the right result`() throws {
    let (plan, head, _) = try wired()
    let output = NullOutputUnit(
      format: AudioFormat(rate: Rate.studio), periodFrames: 64, isPaced: false)
    try output.start(plan)
    for round in 0..<1000 {
      try plan.edit { graph throws(GraphError) in
        if let old = graph.source(of: head, input: 1)?.node {
          try graph.remove(old)
        } else {
          let node = graph.add(SignalUnit(.constant(0.25)))
          try graph.connect(node, to: head, input: 1)
        }
      }
      // Sometimes let the render thread catch up, but mostly not.
      if round % 100 == 0 {
        let start = output.position.frames
        while output.position.frames < start + 640 {}
      }
    }
    output.stop(draining: false)
    #expect(plan.faultySampleCount == 0)
    let listener = PlanListener(plan)
    #expect(listener.render(quanta: 32)[0][1024...].allSatisfy { $0 == 0.5 })
  }
}
