// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

@Suite struct AudioGraphTests {
  private let rate: SampleRate

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
  }

  private func mixer(_ count: Int, _ name: String = "mixer") -> MixerUnit {
    MixerUnit(name: name, stripCount: count, rate: rate)
  }

  @Test func `a connected unit sounds, one that is not connected is silent`() throws {
    var graph = AudioGraph()
    let source = graph.add(SignalUnit(.constant(0.25)))
    _ = graph.add(SignalUnit(.constant(0.5)))
    let sum = graph.add(mixer(3))
    try graph.connect(source, to: sum, input: 1)
    try graph.setHead(sum)
    let plan = try graph.compile()
    plan.render(at: 0)
    #expect(plan.output[0, 0] == 0.25)
    #expect(plan.output[1, 63] == 0.25)
  }

  @Test func `units run after their sources, in whatever order they were added`() throws {
    var graph = AudioGraph()
    let last = graph.add(mixer(2, "last"))
    let middle = graph.add(mixer(1, "middle"))
    let source = graph.add(SignalUnit(.count))
    try graph.connect(middle, to: last, input: 0)
    try graph.connect(source, to: last, input: 1)
    try graph.connect(source, to: middle)
    try graph.setHead(last)
    let plan = try graph.compile()
    plan.render(at: 640)
    #expect(plan.output[0, 5] == 2 * Float(645) / 1_000_000)
    #expect(plan.output[1, 5] == -2 * Float(645) / 1_000_000)
  }

  @Test func `a cycle is refused and named`() throws {
    var graph = AudioGraph()
    let first = graph.add(mixer(1, "first"))
    let second = graph.add(mixer(1, "second"))
    try graph.connect(first, to: second)
    try graph.connect(second, to: first)
    try graph.setHead(second)
    #expect(throws: GraphError.cycle(through: ["second", "first", "second"])) {
      try graph.compile()
    }
  }

  @Test func `a bus that is missing, taken or of another width is refused`() throws {
    var graph = AudioGraph()
    let source = graph.add(SignalUnit(.constant(1)))
    let sum = graph.add(mixer(1))
    #expect(throws: GraphError.noSuchInput(unit: "mixer", bus: 1, count: 1)) {
      try graph.connect(source, to: sum, input: 1)
    }
    #expect(throws: GraphError.noSuchOutput(unit: "signal", bus: 2, count: 1)) {
      try graph.connect(source, output: 2, to: sum)
    }
    #expect(throws: GraphError.noSuchInput(unit: "signal", bus: 0, count: 0)) {
      try graph.connect(sum, to: source)
    }
    try graph.connect(source, to: sum)
    #expect(throws: GraphError.inputTaken(unit: "mixer", bus: 0)) {
      try graph.connect(source, to: sum)
    }
    #expect(throws: GraphError.noHead) { try graph.compile() }
    let mono = graph.add(MonoUnit())
    let error = #expect(throws: GraphError.self) {
      try graph.connect(mono, to: graph.add(mixer(1)))
    }
    #expect(
      error?.description
        == "mono: has 1 channels, but mixer has 2 (insert a channel converter)")
  }

  @Test func `a plan keeps its units alive`() throws {
    let plan = try {
      var graph = AudioGraph()
      try graph.setHead(graph.add(SignalUnit(.constant(0.5))))
      return try graph.compile()
    }()
    plan.render(at: 0)
    #expect(plan.output[0, 0] == 0.5)
  }
}

/// A unit with one channel that renders nothing.
@safe
private final class MonoUnit: ProcessingUnit {
  let name = "mono"
  let inputChannelCounts: [Int] = []
  let outputChannelCounts = [1]
  private let nothing = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

  deinit {
    unsafe nothing.deallocate()
  }

  var step: RenderStep {
    unsafe RenderStep(kernel: nothing) { _, _ in }
  }
}
