// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Turns down what is above a threshold, by a ratio, with an attack and a release.
///
/// It hears the highest sample of all channels at each frame and turns them down alike, or each by
/// itself in so far as they are not linked. What stays below the knee passes bit for bit while the
/// makeup is 0 dB. For a ceiling that nothing exceeds take a `LimiterUnit`.
///
/// - Note: Control side; the sound is made on the render thread.
/// Source: D. Giannoulis, M. Massberg, J. D. Reiss, Digital Dynamic Range Compressor Design, J. Audio
/// Eng. Soc. 60 (2012): feed-forward, detection in decibels after the gain computer.
public final class CompressorUnit: SettableUnit, SavableUnit {
  /// The parameters of a compressor.
  public enum Setting: Int, Sendable {
    /// Above which level it turns down, −80…0 dB of full scale; −18 at first.
    case threshold
    /// How many decibels more in make one more out, 1…100; 4 at first.
    case ratio
    /// In what time 63 % of a turning down is done, 0…0.5 s; 5 ms at first.
    case attack
    /// In what time 63 % of a coming back is done, 0.001…5 s; 0.1 at first.
    case release
    /// How wide the bend around the threshold is, 0…40 dB; 6 at first.
    case knee
    /// What the whole is raised by, −24…24 dB; 0 at first.
    case makeup
    /// How far the channels go together, 0…1: 1, at first, turns all down by what the loudest asks for,
    /// 0 each by what it asks for itself.
    case link
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The frames it looks ahead.
  public let latency: Int
  /// Threshold, ratio, attack, release, knee, makeup and link.
  public let parameters: ParameterSet
  private let kernel: KernelBox<CompressorKernel>

  /// Creates a compressor.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - lookAhead: the frames by which it knows a sound beforehand, and its output is late, 0…4096.
  ///   - rate: frames a second.
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

  /// The compressor's kernel.
  public var step: RenderStep { kernel.step }

  /// What is held back for the look-ahead.
  public var tail: Int { latency }

  /// By how many decibels the channel that was turned down most was turned down at the end of the last quantum, 0 or more.
  ///
  /// - Note: Any thread.
  public var reduction: Float {
    Float(bitPattern: kernel.pointee.reduction.load(ordering: .relaxed))
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "compressor", ["channels": .count(inputChannelCounts[0]), "lookAhead": .count(latency)])
  }
}
