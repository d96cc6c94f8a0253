// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime

/// A stereo effect that is given a sound from memory.
struct EffectRun {
  private let unit: any ProcessingUnit
  private let rate: SampleRate

  init(_ unit: any ProcessingUnit, rate: SampleRate) {
    self.unit = unit
    self.rate = rate
  }

  /// What the effect makes of interleaved samples: as many, its latency left out.
  func through(_ sound: [Float]) throws -> [Float] {
    var graph = AudioGraph()
    let head = graph.add(unit)
    let source = KernelUnit(MemorySource(sound), name: "sound", rate: rate)
    try graph.connect(graph.add(source), to: head)
    try graph.setHead(head)
    var heard: [Float] = []
    heard.reserveCapacity(sound.count)
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate, clamps: false)
    try renderer.render(
      upTo: SampleTime(frames: Int64(sound.count / 2)), prepare: { _ in true },
      take: { samples in for index in samples.indices { heard.append(samples[index]) } })
    return heard
  }
}

/// Plays interleaved stereo once.
private struct MemorySource: SoundKernel {
  let sound: [Float]

  init(_ sound: [Float]) {
    self.sound = sound
  }

  func render(_ block: SoundBlock) {
    for channel in 0..<2 {
      var output = block.output(channel)
      for frame in 0..<block.frameCount {
        let place = 2 * (Int(block.start.frames) + frame) + channel
        output[frame] = place < sound.count ? sound[place] : 0
      }
    }
  }
}
