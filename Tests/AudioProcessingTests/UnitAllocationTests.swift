// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MIDIMessages
import MusicalTime
import Testing

/// Every unit of the graph, with events, through a rewiring: nothing is allocated or locked.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct UnitAllocationTests {
  private let mixer = MixerUnit(channelCounts: [2, 1, 2, 2, 1], rate: Rate.studio)
  private let panner = PannerUnit(rate: Rate.studio)
  private let spatial = SpatialMixerUnit(sourceCount: 2, rate: Rate.studio)
  private let equalizer = EqualizerUnit(bands: EqualizerUnit.Kind.allCases, rate: Rate.studio)
  private let limiter = LimiterUnit(rate: Rate.studio)
  private let splitter = SplitterUnit(outputCount: 2, rate: Rate.studio)
  private let converter = ChannelConverterUnit(from: 2, to: 1, rate: Rate.studio)
  private let metronome = MetronomeUnit(rate: Rate.studio)
  private let reverb = ReverbUnit(rate: Rate.studio)
  private let delay = DelayUnit(rate: Rate.studio)
  private let compressor = CompressorUnit(lookAhead: 32, rate: Rate.studio)
  private let varispeed: VarispeedUnit

  init() throws {
    var graph = AudioGraph()
    try graph.setHead(graph.add(GeneratorUnit(.pinkNoise, rate: Rate.studio)))
    varispeed = try VarispeedUnit(graph, rate: Rate.studio)
  }

  /// All units in one graph, and the node of the mixer.
  private func everything() throws -> (graph: AudioGraph, mixer: AudioGraph.Node) {
    var graph = AudioGraph()
    let mix = graph.add(mixer)
    let pan = graph.add(panner)
    let space = graph.add(spatial)
    let filter = graph.add(equalizer)
    let head = graph.add(limiter)
    let split = graph.add(splitter)
    let mono = graph.add(converter)
    for (index, signal) in GeneratorUnit.Signal.allCases.enumerated() {
      let generator = GeneratorUnit(signal, rate: Rate.studio)
      generator[.level] = 1
      let node = graph.add(generator)
      switch index {
      case 0: try graph.connect(node, to: pan)
      case 3: try graph.connect(node, to: mix, input: 1)
      default: try graph.connect(node, to: space, input: index - 1)
      }
    }
    try graph.connect(pan, to: split)
    try graph.connect(split, output: 0, to: mix, input: 0)
    try graph.connect(split, output: 1, to: mono)
    let merger = graph.add(MergerUnit(channelCounts: [1, 1]))
    try graph.connect(mono, to: merger, input: 0)
    try graph.connect(graph.add(varispeed), to: merger, input: 1)
    try graph.connect(merger, to: mix, input: 2)
    try graph.connect(space, to: mix, input: 3)
    try graph.connect(graph.add(metronome), to: mix, input: 4)
    try graph.connect(mix, to: filter)
    var last = filter
    for effect in [reverb, delay, compressor] as [any ProcessingUnit] {
      let node = graph.add(effect)
      try graph.connect(last, to: node)
      last = node
    }
    try graph.connect(last, to: head)
    try graph.connect(head, to: graph.add(MeterTap(rate: Rate.studio)))
    try graph.connect(head, to: graph.add(RecordingTap(capacity: 4096)))
    try graph.setHead(head)
    return (graph, mix)
  }

  private var all: [ParameterSet] {
    [
      mixer.parameters, panner.parameters, spatial.parameters, equalizer.parameters,
      limiter.parameters, splitter.parameters, converter.parameters, varispeed.parameters,
      reverb.parameters, delay.parameters, compressor.parameters,
    ]
  }

  /// Moves every parameter, a different one each quantum.
  private func schedule(from first: Int64) {
    for set in all {
      for frame in stride(from: first, to: first + 64_000, by: 97) {
        let index = Int(frame / 97) % set.parameters.count
        let range = set.parameters[index].range
        let value = frame % 2 == 0 ? range.lowerBound : range.upperBound
        if !set.schedule(index, to: value, at: SampleTime(frames: frame), over: Int(frame % 500)) {
          break
        }
      }
    }
    for frame in stride(from: first, to: first + 64_000, by: 4000) {
      #expect(metronome.click(at: SampleTime(frames: frame), isAccented: frame % 8000 == 0))
    }
  }

  @Test func `rendering every unit while its parameters move allocates and locks nothing`() throws {
    let plan = try everything().graph.compile()
    plan.render(at: 0)
    schedule(from: 64)
    callocationcounter_begin()
    for block in 1..<1000 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
    #expect(plan.faultySampleCount == 0)
    #expect(mixer.sumLevel.left.maximum > 0.1)
  }

  @Test func `rendering through a rewiring, timed or not, allocates and locks nothing`() throws {
    let (graph, mix) = try everything()
    let plan = try graph.compile()
    plan.render(at: 0)
    for round in 0..<20 {
      plan.measuresLoad = round % 2 == 0
      try plan.edit { graph throws(GraphError) in
        let old = graph.source(of: mix, input: 0)
        try graph.disconnect(mix, input: 0)
        if round % 2 == 1 {
          try graph.connect(graph.add(PannerUnit(channelCount: 2, rate: Rate.studio)), to: mix)
          guard let source = old, let node = graph.source(of: mix)?.node else { return }
          try graph.connect(source.node, output: source.output, to: node)
        } else if round > 0, let panner = old?.node, let source = graph.source(of: panner) {
          try graph.remove(panner)
          try graph.connect(source.node, output: source.output, to: mix)
        } else if let source = old {
          try graph.connect(source.node, output: source.output, to: mix)
        }
      }
      callocationcounter_begin()
      for block in 1..<20 { plan.render(at: SampleTime(frames: Int64((round * 20 + block) * 64))) }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0)
      #expect(counts.frees == 0)
      #expect(counts.locks == 0)
    }
  }
}
