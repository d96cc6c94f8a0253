// SPDX-License-Identifier: Apache-2.0
// Plays a tone, and inserts and removes effects during playback: live-graph
import ALSAAudio
import AudioProcessing
import MusicalTime

/// A tremolo: changes the level of its input periodically, at a speed in hertz.
struct Tremolo: SoundKernel {
  var phase: Float = 0

  mutating func render(_ block: SoundBlock) {
    let speed = block.curve(of: 0)
    let left = block.input(0)
    let right = block.input(1)
    var leftOut = block.output(0)
    var rightOut = block.output(1)
    for frame in 0..<block.frameCount {
      phase += speed[frame] / Float(block.rate.hertz)
      if phase >= 1 { phase -= 1 }
      let gain = abs(2 * phase - 1)
      (leftOut[frame], rightOut[frame]) = (left[frame] * gain, right[frame] * gain)
    }
  }
}

extension AudioGraph {
  /// Removes an effect, and connects its source to its destinations.
  mutating func bypass(_ effect: Node) throws(GraphError) {
    guard let source = source(of: effect) else { return }
    let listeners = nodes.filter { self.source(of: $0)?.node == effect }
    let wasHead = head == effect
    try remove(effect)
    if wasHead { try setHead(source.node, output: source.output) }
    for listener in listeners { try connect(source.node, output: source.output, to: listener) }
  }
}

func play() throws {
  let output = try ALSAOutputUnit()
  let rate = output.format.rate
  let tone = GeneratorUnit(.sine, rate: rate)
  tone[.level] = 0.1
  let mixer = MixerUnit(channelCounts: [1], rate: rate)
  let tremolo = KernelUnit(
    Tremolo(), name: "tremolo", inputs: [2], outputs: [2],
    parameters: [Parameter("speed", .hertz, 0.1...20, initially: 4)], rate: rate)
  let effects: [any ProcessingUnit] = [tremolo, ReverbUnit(rate: rate), DelayUnit(rate: rate)]
  var graph = AudioGraph()
  let sum = graph.add(mixer)
  try graph.connect(graph.add(tone), to: sum)
  try graph.setHead(sum)
  let plan = try graph.compile()
  try output.start(plan)
  print(effects.map(\.name), "insert or remove an effect; speed, gain, pitch NUMBER; Return quits")
  while let line = readLine(), !line.isEmpty {
    let words = line.split(separator: " ").map(String.init)
    switch (words[0], words.dropFirst().first.flatMap(Float.init)) {
    case ("speed", let speed?): try tremolo.parameters.set(0, to: speed, over: 1)
    case ("gain", let gain?): mixer[0].gain = gain
    case ("pitch", let hertz?): tone[.frequency] = hertz
    default:
      guard let effect = effects.first(where: { $0.name == line }) else {
        print("unknown effect: \(line)")
        continue
      }
      try plan.edit { graph throws(GraphError) in
        if let node = graph.node(of: effect) {
          try graph.bypass(node)
        } else {
          try graph.insert(effect, behind: sum)
        }
      }
    }
    print(plan.graph.nodes.compactMap { plan.graph.unit(at: $0)?.name })
  }
  output.stop(draining: false)
}

do {
  try play()
} catch {
  print(error)
}
