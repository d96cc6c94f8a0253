// SPDX-License-Identifier: Apache-2.0
// Plays sound files by number, through a custom effect: sampler-pad FILE.wav…
import ALSAAudio
import AudioProcessing
import ClipPlayback

/// Limits loud samples softly.
struct Saturation: SoundKernel {
  func render(_ block: SoundBlock) {
    let drive = block.curve(of: 0)
    for channel in 0..<block.outputChannelCount() {
      let input = block.input(channel)
      var output = block.output(channel)
      for frame in 0..<block.frameCount {
        let sample = input[frame] * drive[frame]
        output[frame] = sample / (1 + abs(sample))
      }
    }
  }
}

func play(_ paths: ArraySlice<String>) throws {
  let output = try ALSAOutputUnit()
  let rate = output.format.rate
  let sounds = try paths.map { try SystemSound(path: $0, rate: rate) }
  let board = SoundBoard(rate: rate)
  let effect = KernelUnit(
    Saturation(), name: "saturation", inputs: [2], outputs: [2],
    parameters: [Parameter("drive", .factor, 0...16, initially: 1)], rate: rate)
  var graph = AudioGraph()
  let head = graph.add(effect)
  try graph.connect(graph.add(board.unit), to: head)
  try graph.setHead(head)
  try output.start(graph.compile())
  try board.follow(output)
  print("NUMBER plays a sound, +NUMBER sets the drive, Return quits")
  while let line = readLine(), !line.isEmpty {
    if line.hasPrefix("+"), let drive = Float(line) {
      try effect.parameters.set(0, to: drive, over: 0.5)
    } else if let number = Int(line), sounds.indices.contains(number - 1) {
      try board.play(sounds[number - 1])
    }
  }
  output.stop(draining: true)
  board.end()
}

do {
  try play(CommandLine.arguments.dropFirst())
} catch {
  print(error)
}
