// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import BenchmarkHarness
import LV2Units
import MusicalTime

/// What it costs to have LV2 plug-ins in a graph: a hundred of Debian's lv2-examples that only multiply,
/// one behind the other; nothing where they are not installed.
let lv2Suite = Suite("lv2") {
  let rate = SampleRate.hertz48000
  let world: LV2World
  do { world = try LV2World(bundles: ["/usr/lib/lv2/eg-amp.lv2"]) } catch {
    print(error)
    return []
  }
  guard world.problems.isEmpty else {
    print(world.problems[0])
    return []
  }
  return try LV2Configuration.Buses.allCases.map { buses in
    let amplifier = try world.plugin(named: "eg-amp")
    let configuration = LV2Configuration(rate: rate, buses: buses)
    var graph = AudioGraph()
    let source = GeneratorUnit(.sine, rate: rate)
    var last = graph.add(
      ChannelConverterUnit(from: 1, to: buses == .own ? 1 : 2, rate: rate))
    try graph.connect(graph.add(source), to: last)
    for _ in 0..<unitCount {
      let next = graph.add(try LV2Unit(amplifier, in: world, configuration: configuration))
      try graph.connect(last, to: next)
      last = next
    }
    try graph.setHead(last)
    let plan = try graph.compile()
    nonisolated(unsafe) var frame: Int64 = 0
    return Benchmark("amplifier, \(buses) buses", "units and blocks", count: unitCount * blockCount)
    {
      for _ in 0..<blockCount {
        plan.render(at: SampleTime(frames: frame))
        frame += 64
      }
      return Int64(blockCount)
    }
  }
}

private let unitCount = 100
private let blockCount = 2_000
