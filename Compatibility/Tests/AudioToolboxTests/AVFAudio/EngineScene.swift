// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import Synchronization
import Testing

/// Engines on outputs and inputs without a device, and buffers of known sound.
enum EngineScene {
  /// Describes sound in separate buffers.
  static func format(_ hertz: Double = 48_000, channels: UInt32 = 2) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: hertz, channels: channels))
  }

  /// A buffer of sine tones.
  static func sound(
    _ frames: Int, step: Double, _ format: AVAudioFormat
  ) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(max(1, frames))))
    buffer.frameLength = UInt32(frames)
    for frame in 0..<frames {
      for channel in 0..<Int(format.channelCount) {
        buffer.floatChannelData?[channel][frame] =
          Float(sin(Double(frame) * step + Double(channel))) / 3
      }
    }
    return buffer
  }

  /// The interleaved samples of a buffer.
  static func samples(_ buffer: AVAudioPCMBuffer) -> [Float] {
    let channels = Int(buffer.format.channelCount)
    return (0..<Int(buffer.frameLength)).flatMap { frame in
      (0..<channels).map { buffer.floatChannelData?[$0][frame] ?? .nan }
    }
  }

  /// Renders frames in calls of several lengths.
  static func render(_ engine: AVAudioEngine, _ count: Int) throws -> [Float] {
    var result: [Float] = []
    var lengths = [1, 64, 100, 777, 4096, 63].makeIterator()
    while result.count < 2 * count {
      let wanted = min(lengths.next() ?? 512, count - result.count / 2)
      let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 4096))
      #expect(try engine.renderOffline(UInt32(wanted), to: buffer) == .success)
      result += samples(buffer)
    }
    return result
  }

  /// An engine in manual rendering mode.
  static func manualEngine(
    _ mode: AVAudioEngineManualRenderingMode = .offline
  ) throws -> AVAudioEngine {
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(mode, format: try format(), maximumFrameCount: 4096)
    return engine
  }

  /// An engine on the null output.
  static func engine(_ loss: Loss = Loss(), channels: Int? = nil) -> AVAudioEngine {
    AVAudioEngine(
      hardware: EngineHardware(
        rate: { .hertz48000 },
        makeOutput: { rate in
          EngineOutput(NullOutputUnit(format: AudioFormat(rate: rate))) { loss.isLost }
        },
        inputChannelCount: { channels }, makeInput: { ToneInput($0) }))
  }

  /// The loss of a device.
  final class Loss: Sendable {
    private let flag = Atomic(false)

    var isLost: Bool {
      get { flag.load(ordering: .acquiring) }
      set { flag.store(newValue, ordering: .releasing) }
    }
  }

  /// An input of constant sound.
  final class ToneInput: SoundInput {
    let rate: SampleRate
    let channelCount: Int
    let periodFrames = 480

    init(_ shape: RecorderInputShape) {
      rate = shape.rate
      channelCount = shape.channelCount
    }

    func read() -> [Float] {
      usleep(10_000)
      return Array(repeating: 0.25, count: periodFrames * channelCount)
    }
  }

  /// The buffers that a tap has delivered.
  final class Delivery: Sendable {
    private let state = Mutex((samples: [Float](), starts: [Int64](), hosts: 0, calls: 0))

    var samples: [Float] { state.withLock(\.samples) }
    var starts: [Int64] { state.withLock(\.starts) }
    var calls: Int { state.withLock(\.calls) }
    var hosts: Int { state.withLock(\.hosts) }

    func take(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
      let samples = EngineScene.samples(buffer)
      state.withLock { state in
        state.samples += samples
        state.starts.append(time.sampleTime)
        state.calls += 1
        if time.isHostTimeValid { state.hosts += 1 }
      }
    }
  }
}
