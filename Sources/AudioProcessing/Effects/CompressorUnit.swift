// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Compressor: reduces levels above a threshold, by a ratio, with attack and release.
///
/// The compressor measures the highest sample of all channels at each frame, and reduces all
/// channels by the same gain. If `link` is below 1, the gain of each channel also depends on the
/// level of that channel. If the makeup gain is 0 dB, sound below the knee passes unchanged, bit
/// for bit. To keep peaks below a ceiling, use `LimiterUnit`.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound. Source: D.
///   Giannoulis, M. Massberg, J. D. Reiss, Digital Dynamic Range Compressor Design, J. Audio Eng.
///   Soc. 60 (2012): feed-forward, detection in decibels after the gain computer.
public final class CompressorUnit: SettableUnit, SavableUnit {
  /// The parameters of a compressor.
  public enum Setting: Int, Sendable {
    /// Level above which the gain is reduced, −80…0 dBFS; default −18 dBFS.
    case threshold
    /// Compression ratio: the number of decibels above the threshold for which the output rises by
    /// 1 dB, 1…100; default 4.
    case ratio
    /// Attack: the time in which 63 % of an increase of the gain reduction is reached, 0…0.5 s;
    /// default 5 ms.
    case attack
    /// Release: the time in which 63 % of a decrease of the gain reduction is reached, 0.001…5 s;
    /// default 0.1 s.
    case release
    /// Width of the range around the threshold in which the ratio increases gradually, 0…40 dB;
    /// default 6 dB.
    case knee
    /// Gain of the output, −24…24 dB; default 0 dB.
    case makeup
    /// Link between the channels, 0…1; default 1.
    ///
    /// At 1 all channels are reduced as much as the loudest channel needs; at 0 each channel is
    /// reduced according to its own level.
    case link
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
  public let latency: Int
  /// The parameters: threshold, ratio, attack, release, knee, makeup and link.
  public let parameters: ParameterSet
  private let kernel: KernelBox<CompressorKernel>

  /// Creates a compressor.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - lookAhead: the number of frames by which the compressor reacts before a peak, and by which
  ///     the output is delayed, 0…4096.
  ///   - rate: the sample rate.
  public init(
    name: String = "compressor", channelCount: Int = 2, lookAhead: Int = 0, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a compressor has 1 to 64 channels")
    precondition((0...4096).contains(lookAhead), "a compressor looks ahead by 0 to 4096 frames")
    self.name = name
    self.rate = rate
    latency = lookAhead
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("threshold", .decibels, -80...0, initially: -18, rampSeconds: 0.02),
        Parameter("ratio", .number, 1...100, initially: 4, rampSeconds: 0.02),
        Parameter("attack", .seconds, 0...0.5, initially: 0.005, rampSeconds: 0),
        Parameter("release", .seconds, 0.001...5, initially: 0.1, rampSeconds: 0),
        Parameter("knee", .decibels, 0...40, initially: 6, rampSeconds: 0.02),
        Parameter("makeup", .decibels, -24...24, initially: 0, rampSeconds: 0.02),
        Parameter("link", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      CompressorKernel(
        channelCount: channelCount, lookAhead: lookAhead, rate: rate, bank: parameters.bank),
      CompressorKernel.function, clearing: CompressorKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames by which the look-ahead delays the sound.
  public var tail: Int { latency }

  /// The largest gain reduction of all channels at the end of the last quantum, in decibels, 0 or
  /// more.
  ///
  /// - Note: Any thread.
  public var reduction: Float {
    Float(bitPattern: kernel.pointee.reduction.load(ordering: .relaxed))
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "compressor", ["channels": .count(inputChannelCounts[0]), "lookAhead": .count(latency)])
  }
}
