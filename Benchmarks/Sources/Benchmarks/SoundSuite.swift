// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import BenchmarkHarness
import ClipPlayback
import MusicalTime

/// Clips: what a trigger costs, and what 64 at once cost the render thread.
let soundSuite = Suite("sound") {
  let rate = SampleRate.hertz48000
  return [
    try ClipTriggers(rate: rate).benchmark,
    try OverlappingClips(rate: rate).benchmark,
  ]
}

/// Triggers of a clip that waits for ever: the record in the ring, and its taking.
private final class ClipTriggers: @unchecked Sendable {
  // Unchecked: a benchmark runs on one thread.
  private let board: SoundBoard
  private let plan: RenderPlan
  private let clip: SystemSound
  private static let batches = 2000
  private static let batch = 60

  init(rate: SampleRate) throws {
    board = SoundBoard(rate: rate)
    clip = SystemSound(name: "click", interleaved: [1], channelCount: 1, rate: rate)
    var graph = AudioGraph()
    try graph.setHead(graph.add(board.unit))
    plan = try graph.compile()
  }

  /// Each trigger is also rendered and told of, so the figure is an upper bound.
  var benchmark: Benchmark {
    Benchmark("trigger, render, tell of a click", "clips", count: Self.batches * Self.batch) {
      [self] in
      var ended: Int64 = 0
      for _ in 0..<Self.batches {
        for _ in 0..<Self.batch { try board.play(clip) }
        plan.render(at: 0)
        board.deliver(heardThrough: SampleTime(frames: 64))
        ended += Int64(board.activeCount)
      }
      return ended
    }
  }
}

/// 64 clips of their own memory, a second each, over and over.
private final class OverlappingClips: @unchecked Sendable {
  // Unchecked: a benchmark runs on one thread.
  private let board: SoundBoard
  private let plan: RenderPlan
  private let clips: [SystemSound]
  private static let blocks = 750

  init(rate: SampleRate) throws {
    board = SoundBoard(rate: rate)
    clips = (0..<64).map { index in
      let samples = (0..<96_000).map { Float(($0 * (index + 3)) % 1000) / 100_000 }
      return SystemSound(name: "\(index)", interleaved: samples, channelCount: 2, rate: rate)
    }
    var graph = AudioGraph()
    try graph.setHead(graph.add(board.unit))
    plan = try graph.compile()
  }

  var benchmark: Benchmark {
    Benchmark("64 clips, a block of 64 frames", "blocks", count: Self.blocks) { [self] in
      for clip in clips { try board.play(clip, gain: 0.5) }
      for block in 0..<Self.blocks { plan.render(at: SampleTime(frames: Int64(block * 64))) }
      let last = plan.output[0, 63]
      board.deliver(heardThrough: SampleTime(frames: .max))
      return Int64(last * 1000) + Int64(board.activeCount)
    }
  }
}
