// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Limiter: keeps peaks below a ceiling, by reducing the gain before they arrive.
///
/// The latency is one quantum (64 frames). The gain starts to fall 58 frames before a peak, is low
/// enough at the peak, and rises again with the release time. All channels have the same gain, so
/// the stereo image does not move. Peaks between samples are included (true peaks, ITU-R
/// BS.1770-4). Sound below the ceiling passes unchanged, bit for bit. No output sample exceeds the
/// ceiling, and no true peak exceeds it by more than 0.1 dB.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class LimiterUnit: SettableUnit, SavableUnit {
  /// The parameters of a limiter.
  public enum Setting: Int, Sendable {
    /// Highest peak of the output, −40…0 dBFS; the initial value is given at creation.
    case ceiling
    /// Time in which the gain recovers by 63 %, 0.01…3 s; default 0.1 s.
    case release
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus, with the channel count of the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The look-ahead, in frames.
  public var latency: Int { AudioFormat.quantum }
  /// Ceiling and release.
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

  /// The kernel and its render function.
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
