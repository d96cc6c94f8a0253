// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Limiter: keeps peaks below a ceiling, by reducing the gain shortly before each peak.
///
/// The latency is one quantum (64 frames). The gain starts to fall 58 frames before a peak, reaches
/// the necessary value at the peak, and rises again with the release time. All channels have the
/// same gain, so the stereo image does not move. Peaks between samples are included (true peaks,
/// ITU-R BS.1770-4). Sound below the ceiling passes unchanged, bit for bit. No output sample
/// exceeds the ceiling, and no true peak exceeds it by more than 0.1 dB.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class LimiterUnit: SettableUnit, SavableUnit {
  /// The parameters of a limiter.
  public enum Setting: Int, Sendable {
    /// Highest peak of the output, −40…0 dBFS; the initial value is a parameter of `init`.
    case ceiling
    /// Time in which the gain recovers by 63 %, 0.01…3 s; default 0.1 s.
    case release
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The delay from input to output in frames, which is the look-ahead.
  public var latency: Int { AudioFormat.quantum }
  /// The parameters: ceiling and release.
  public let parameters: ParameterSet
  private let kernel: KernelBox<LimiterKernel>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels.
  ///   - ceiling: the highest peak of the output, from the first frame, −40…0 dBFS. Other values
  ///     are limited to this range.
  ///   - rate: the sample rate.
  public init(
    name: String = "limiter", channelCount: Int = 2, ceiling: Float = 0, rate: SampleRate
  ) {
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("ceiling", .decibels, -40...0, initially: min(0, max(-40, ceiling))),
        Parameter("release", .seconds, 0.01...3, initially: 0.1, rampSeconds: 0),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      LimiterKernel(channelCount: channelCount, rate: rate, bank: parameters.bank),
      LimiterKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("limiter", ["channels": .count(inputChannelCounts[0])])
  }

  /// The number of frames whose gain was reduced, since the limiter was created.
  ///
  /// - Note: Any thread.
  public var limitedFrameCount: Int { kernel.pointee.limitedFrames.load(ordering: .relaxed) }

  /// The lowest gain since the limiter was created, as a factor; 1 if no frame was limited.
  ///
  /// - Note: Any thread.
  public var lowestGain: Float {
    Float(bitPattern: kernel.pointee.lowestGain.load(ordering: .relaxed))
  }
}
