// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import Testing

/// An engine in manual rendering mode at 48,000 Hz, and the same sound by a graph of Downbeat's own.
struct UnitRig {
  static let rate = SampleRate.hertz48000

  let engine = AVAudioEngine()
  let format: AVAudioFormat

  init() throws {
    format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
  }

  /// Interleaved samples of a sound that is different in both channels.
  static func sound(frames: Int) -> [Float] {
    var samples: [Float] = []
    for frame in 0..<frames {
      for side in 0..<2 {
        let angle = Double(frame) * 0.031 + Double(side)
        let sum: Double = sin(angle) + sin(Double(frame) * 0.4)
        samples.append(Float(sum / 4))
      }
    }
    return samples
  }

  /// Interleaved samples of a tone.
  static func tone(_ hertz: Double, frames: Int, amplitude: Double = 0.25) -> [Float] {
    let step: Double = 2 * .pi * hertz / 48_000
    var samples: [Float] = []
    for frame in 0..<frames {
      let sample = Float(amplitude * sin(step * Double(frame)))
      samples += [sample, sample]
    }
    return samples
  }

  /// A player that is scheduled to play interleaved samples of two channels, and starts at frame 0.
  func player(_ samples: [Float]) throws -> AVAudioPlayerNode {
    let count = samples.count / 2
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(count)))
    buffer.frameLength = UInt32(count)
    for index in samples.indices { buffer.floatChannelData?[index % 2][index / 2] = samples[index] }
    let player = AVAudioPlayerNode()
    engine.attach(player)
    player.scheduleBuffer(buffer)
    player.play()
    return player
  }

  /// Connects nodes one after the other, and the last to the output.
  func chain(_ nodes: [AVAudioNode]) {
    for node in nodes { engine.attach(node) }
    for (node, next) in zip(nodes, nodes.dropFirst() + [engine.outputNode]) {
      engine.connect(node, to: next, format: format)
    }
  }

  /// Renders interleaved frames, in calls of several lengths.
  func render(_ count: Int) throws -> [Float] {
    if !engine.isRunning { try engine.start() }
    var result: [Float] = []
    var lengths = [64, 100, 1, 777, 4096].makeIterator()
    while result.count < 2 * count {
      let wanted = min(lengths.next() ?? 4096, count - result.count / 2)
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096))
      #expect(try engine.renderOffline(UInt32(wanted), to: buffer) == .success)
      let channels = try #require(buffer.floatChannelData)
      for index in 0..<wanted { result += [channels[0][index], channels[1][index]] }
    }
    return result
  }

  /// Sound that a graph contains.
  private struct Playing: SoundKernel {
    let samples: [Float]

    func render(_ block: SoundBlock) {
      for channel in 0..<2 {
        var output = block.output(channel)
        for index in 0..<block.frameCount {
          let place = (Int(block.start.frames) + index) * 2 + channel
          output[index] = place < samples.count ? samples[place] : 0
        }
      }
    }
  }

  /// A unit that plays interleaved samples of two channels.
  static func source(_ samples: [Float]) -> KernelUnit {
    KernelUnit(Playing(samples: samples), name: "playing", rate: rate)
  }

  /// The sound of units in a chain, by an `OfflineRenderer`.
  static func render(_ units: [any ProcessingUnit], _ count: Int) throws -> [Float] {
    var graph = AudioGraph()
    var last: AudioGraph.Node?
    for unit in units {
      let node = graph.add(unit)
      if let last { try graph.connect(last, to: node) }
      last = node
    }
    try graph.setHead(#require(last))
    return try render(graph, count)
  }

  /// The sound of a graph, by an `OfflineRenderer`.
  static func render(_ graph: AudioGraph, _ count: Int) throws -> [Float] {
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate, clamps: false)
    var result: [Float] = []
    try renderer.render(upTo: SampleTime(frames: Int64(count)), prepare: { _ in true }) { samples in
      result += samples.indices.map { samples[$0] }
    }
    return result
  }

  /// The samples of the left channel.
  static func left(_ samples: some Collection<Float>) -> [Float] {
    samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// The frequency of a tone, by its rising zero crossings.
  static func hertz(_ samples: some Collection<Float>) -> Double {
    let samples = Array(samples)
    let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) * 48_000 / Double(last - first)
  }
}
