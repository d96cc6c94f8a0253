// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MusicalTime
import SpatialResponses

/// The time that effects and scenes take of a core while they sound.
///
/// Of several runs the shortest counts, by the thread's own clock: what else the machine does is no
/// work of ours.
struct EffectSpeeds {
  private let runs: Int
  private let rate = SampleRate.hertz48000
  /// The length of a run, in quanta of 64 frames: 3 s.
  private let quantumCount = 2250

  init(runs: Int) {
    // With the one to warm up, no more than what the scenes move for.
    self.runs = min(max(runs, 1), 5)
  }

  /// Every figure as a line of JSON, with what it may be where that was promised; where a head's
  /// responses cannot be read, why, in place of those of scenes.
  func figures() throws -> [String] {
    var lines: [String] = []
    for (effect, limit) in Self.effects {
      let unit = try EffectCatalogue.standard.unit(effect, rate: rate)
      lines.append(line(effect, try share(of: unit), limit: limit))
    }
    for seconds in [1, 3] {
      let unit = ConvolutionUnit(response: room(seconds: seconds), rate: rate)
      let name = "convolution with \(seconds) s, stereo"
      lines.append(line(name, try share(of: unit), limit: seconds == 3 ? 3 : nil))
    }
    let head: HeadResponses
    do {
      head = try HeadResponses(sofaFile: HeadResponses.installedSOFAFile, rate: rate)
    } catch {
      return lines + [Self.omission("32 sources for headphones", because: "\(error)")]
    }
    for motion in SceneMotion.allCases {
      let share = try share(of: motion.scene(sourceCount: 32, head, rate: rate))
      lines.append(
        line("32 sources for headphones, \(motion.rawValue)", share, limit: motion.limit))
    }
    return lines
  }

  private static let effects: [(String, Double?)] = [
    ("reverb", 1), ("delay", nil), ("chorus", nil), ("compressor threshold=-40dB", nil),
    ("gate", nil), ("limiter", nil), ("limiter ceiling=-20dB", nil), ("saturation drive=12dB", nil),
    ("high-pass", nil), ("low-pass slope=48", nil), ("equaliser low=3dB", nil),
    ("stereo width=1.5 mono-below=120Hz", nil),
  ]

  /// A line of JSON in place of a figure.
  private static func omission(_ name: String, because reason: String) -> String {
    let told = reason.map { $0 == "\"" || $0 == "\\" ? "'" : $0 }
    return "{\"figure\":\"\(name)\",\"omitted\":\"\(String(told))\"}"
  }

  private func line(_ name: String, _ share: Double, limit: Double?) -> String {
    let value = (share * 1e5).rounded() / 1e3
    return "{\"figure\":\"\(name)\",\"unit\":\"%\",\"value\":\(value),"
      + "\"limit\":\(limit.map { "\($0)" } ?? "null")}"
  }

  /// The share of a core that a unit takes, with noise on all its inputs.
  private func share(of unit: any ProcessingUnit) throws -> Double {
    var graph = AudioGraph()
    let head = graph.add(unit)
    for (bus, channelCount) in unit.inputChannelCounts.enumerated() {
      let noise = KernelUnit(
        StandingNoise(seed: bus), name: "noise", outputs: [channelCount], rate: rate)
      try graph.connect(graph.add(noise), to: head, input: bus)
    }
    try graph.setHead(head)
    let plan = try graph.compile()
    var frame: Int64 = 0
    func run() -> Double {
      let start = Self.ownTime
      for _ in 0..<quantumCount {
        plan.render(at: SampleTime(frames: frame))
        frame += 64
      }
      return Self.ownTime - start
    }
    let best = (0...runs).map { _ in run() }.dropFirst().min() ?? 0
    return best / (Double(quantumCount) * 64 / 48_000)
  }

  /// Seconds that this thread has run.
  private static var ownTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Noise that fades away, for each side.
  private func room(seconds: Int) -> [[Float]] {
    (0..<2).map { side in
      var noise = Noise(seed: side)
      let count = 48_000 * seconds
      return (0..<count).map { 0.01 * noise.next() * Float(count - $0) / Float(count) }
    }
  }
}

/// Numbers in −1…1, the same every time.
struct Noise {
  private var state: UInt32

  init(seed: Int) {
    state = UInt32(truncatingIfNeeded: seed + 1)
  }

  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 23) - 1
  }
}

/// The same 64 frames of noise over and over, which cost next to nothing.
private struct StandingNoise: SoundKernel {
  private let samples: [Float]

  init(seed: Int) {
    var noise = Noise(seed: seed)
    samples = (0..<64).map { _ in 0.4 * noise.next() }
  }

  func render(_ block: SoundBlock) {
    for channel in 0..<block.outputChannelCount() {
      var output = block.output(channel)
      for frame in 0..<block.frameCount { output[frame] = samples[frame] }
    }
  }
}
