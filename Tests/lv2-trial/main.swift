// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import LV2Units
import MusicalTime

// Tries the plug-ins of bundles, as `LV2Discovery` asks a program to; or, behind `--render`, renders one
// at a level of its first control, and gives up.
let arguments = Array(CommandLine.arguments.dropFirst())
do {
  if arguments.first == "--render" {
    try render(bundle: arguments[1], uri: arguments[2], level: Float(arguments[3]) ?? 0)
  } else {
    try LV2Discovery.answer(arguments) { line in
      let bytes = Array((line + "\n").utf8)
      _ = unsafe write(1, bytes, bytes.count)
    }
  }
} catch {
  print(error)
  exit(1)
}

func render(bundle: String, uri: String, level: Float) throws {
  LV2LastWords.arm(program: "trial")
  let world = try LV2World(bundles: [bundle])
  let unit = try LV2Unit(
    world.plugin(named: uri), in: world,
    configuration: LV2Configuration(rate: .hertz48000, buses: .stereo))
  try unit.parameters.set(0, to: level)
  let inlet = SubgraphUnit.Inlet()
  var graph = AudioGraph()
  let head = graph.add(unit)
  try graph.connect(graph.add(inlet), to: head)
  try graph.setHead(head)
  let plan = try graph.compile()
  for block in 0..<4 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
  let words = Array("rendered\n".utf8)
  _ = unsafe write(1, words, words.count)
  abort()
}
