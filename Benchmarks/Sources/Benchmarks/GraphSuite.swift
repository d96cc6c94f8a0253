// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import BenchmarkHarness
import MusicalTime

/// What a plan costs beyond the units that make the sound, in blocks of 64 frames.
let graphSuite = Suite("graph") {
  let rate = SampleRate.hertz48000
  return [
    try rendering("16 stereo strips, gain, pan, meters") { graph in
      let mixer = MixerUnit(stripCount: 16, rate: rate)
      for strip in 0..<16 {
        mixer[strip].gain = 0.5 + Float(strip) / 32
        mixer[strip].pan = Float(strip) / 8 - 0.9
      }
      return try wire(mixer, to: SoundingUnit(Array(repeating: 2, count: 16)), in: &graph)
    },
    try rendering("16 strips, all moving") { graph in
      let mixer = MixerUnit(stripCount: 16, rate: rate)
      for strip in 0..<16 {
        _ = mixer.parameters.schedule(5 * strip, to: 0.5, at: 0, over: 1 << 30)
      }
      return try wire(mixer, to: SoundingUnit(Array(repeating: 2, count: 16)), in: &graph)
    },
    try rendering("nothing but a head") { graph in graph.add(SoundingUnit([2])) },
    try effect("limiter at rest", LimiterUnit(rate: rate)),
    try effect("limiter at work", LimiterUnit(rate: rate), level: 1.5),
    try effect(
      "equaliser, 4 bands", EqualizerUnit(bands: Array(repeating: .peaking, count: 4), rate: rate)),
    try effect("reverb", ReverbUnit(rate: rate)),
    try effect("delay", DelayUnit(rate: rate)),
    try effect("compressor at rest", CompressorUnit(rate: rate), level: 0.01),
    try effect("compressor at work", CompressorUnit(rate: rate)),
    try effect("panner", PannerUnit(channelCount: 2, rate: rate)),
    try effect("splitter to 4", SplitterUnit(outputCount: 4, rate: rate)),
    try effect("stereo to mono", ChannelConverterUnit(from: 2, to: 1, rate: rate)),
    try rendering("spatial mixer, 16 sources") { graph in
      let mixer = SpatialMixerUnit(sourceCount: 16, rate: rate)
      return try wire(mixer, to: SoundingUnit(Array(repeating: 1, count: 16)), in: &graph)
    },
    try rendering("sine") { graph in graph.add(GeneratorUnit(.sine, rate: rate)) },
    try rendering("pink noise") { graph in graph.add(GeneratorUnit(.pinkNoise, rate: rate)) },
    try rendering("clicks, 1000 a second") { graph in
      graph.add(GeneratorUnit(.clicks, rate: rate))
    },
    try rendering("metronome at rest") { graph in graph.add(MetronomeUnit(rate: rate)) },
    try rendering("varispeed at 1") { graph in graph.add(try varispeed(1)) },
    try rendering("varispeed at 1.5") { graph in graph.add(try varispeed(1.5)) },
    try rewiring(),
  ]

  @Sendable func varispeed(_ speed: Float) throws -> VarispeedUnit {
    var inner = AudioGraph()
    try inner.setHead(inner.add(SoundingUnit([2])))
    let unit = try VarispeedUnit(inner, rate: rate)
    unit[.speed] = speed
    return unit
  }
}

/// Blocks that one run renders.
private let blockCount = 20_000

/// Connects every output of a source to the input with its number, and makes the unit the head.
private func wire(
  _ unit: any ProcessingUnit, to source: SoundingUnit, in graph: inout AudioGraph
) throws -> AudioGraph.Node {
  let from = graph.add(source)
  let node = graph.add(unit)
  for bus in source.outputChannelCounts.indices {
    try graph.connect(from, output: bus, to: node, input: bus)
  }
  return node
}

private func effect(
  _ name: String, _ unit: any ProcessingUnit, level: Float = 0.4
) throws -> Benchmark {
  try rendering(name) { graph in
    try wire(unit, to: SoundingUnit(unit.inputChannelCounts, level: level), in: &graph)
  }
}

/// Renders a graph whose head is the node that the closure returns.
private func rendering(
  _ name: String, _ build: (inout AudioGraph) throws -> AudioGraph.Node
) throws -> Benchmark {
  var graph = AudioGraph()
  try graph.setHead(try build(&graph))
  let plan = try graph.compile()
  nonisolated(unsafe) var frame: Int64 = 0
  return Benchmark(name, "blocks", count: blockCount) {
    for _ in 0..<blockCount {
      plan.render(at: SampleTime(frames: frame))
      frame += 64
    }
    return Int64(blockCount)
  }
}

/// Edits of a graph of a mixer and 16 units, each heard for a block.
private func rewiring() throws -> Benchmark {
  let rate = SampleRate.hertz48000
  var graph = AudioGraph()
  let mixer = MixerUnit(stripCount: 17, rate: rate)
  let head = try wire(
    mixer, to: SoundingUnit(Array(repeating: 2, count: 16)), in: &graph)
  try graph.setHead(head)
  let plan = try graph.compile()
  let extra = SoundingUnit([2])
  nonisolated(unsafe) var frame: Int64 = 0
  return Benchmark("rewire a graph of 16 strips", "edits", count: 1000) {
    for _ in 0..<1000 {
      try plan.edit { graph throws(GraphError) in
        if let old = graph.source(of: head, input: 16)?.node {
          try graph.remove(old)
        } else {
          try graph.connect(graph.add(extra), to: head, input: 16)
        }
      }
      plan.render(at: SampleTime(frames: frame))
      frame += 64
    }
    return 1000
  }
}

/// A unit whose buses hold the same sound for ever, so that it costs nothing to render.
private final class SoundingUnit: ProcessingUnit, @unchecked Sendable {
  let name = "sound"
  let inputChannelCounts: [Int] = []
  let outputChannelCounts: [Int]
  let step: RenderStep
  private let isFilled: UnsafeMutablePointer<Float>

  init(_ channelCounts: [Int], level: Float = 0.4) {
    outputChannelCounts = channelCounts
    isFilled = .allocate(capacity: 1)
    isFilled.initialize(to: level)
    step = RenderStep(kernel: isFilled) { kernel, block in
      let level = kernel.assumingMemoryBound(to: Float.self)
      let block = block.assumingMemoryBound(to: RenderBlock.self).pointee
      // The buses stay where they are: filled once, they sound on.
      guard level.pointee > 0 || block.output(0)[0, 1] == 0 else { return }
      for bus in 0..<block.outputCount {
        for channel in 0..<block.output(bus).channelCount {
          for frame in 0..<64 {
            let part = Float((frame * 37 + channel * 11 + bus) % 64) / 32 - 1
            block.output(bus).channel(channel)[frame] = abs(level.pointee) * part
          }
        }
      }
      level.pointee = -abs(level.pointee)
    }
  }

  deinit {
    isFilled.deallocate()
  }
}
