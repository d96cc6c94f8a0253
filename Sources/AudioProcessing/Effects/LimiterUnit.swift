// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Keeps a bus below a ceiling by turning it down ahead of what would exceed it.
///
/// It looks one quantum ahead: the gain begins to fall 58 frames before a peak, is low enough when
/// it comes, and rises again in the release time. Every channel is turned down alike, so that the
/// image stands still. Peaks are those that a converter makes of the samples, between them too
/// (true peaks, ITU-R BS.1770-4). What stays below the ceiling passes bit for bit, 64 frames later;
/// no sample ever comes out above it, and no true peak by more than a tenth of a decibel.
///
/// - Note: Control side; the sound is made on the render thread.
public final class LimiterUnit: SettableUnit, SavableUnit {
  /// The parameters of a limiter.
  public enum Setting: Int, Sendable {
    /// What no peak exceeds, −40…0 dB of full scale.
    case ceiling
    /// The time in which the gain comes back by 63 %, 0.01…3 s; 0.1 at first.
    case release
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
  public var latency: Int { AudioFormat.quantum }
  /// Ceiling and release.
  public let parameters: ParameterSet
  private let kernel: KernelBox<LimiterKernel>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus.
  ///   - ceiling: what no peak exceeds from the first frame on, −40…0 dB of full scale.
  ///   - rate: frames a second.
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

  /// The limiter's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("limiter", ["channels": .count(inputChannelCounts[0])])
  }

  /// Frames that were turned down.
  ///
  /// - Note: Any thread.
  public var limitedFrameCount: Int { kernel.pointee.limitedFrames.load(ordering: .relaxed) }

  /// The lowest gain there was, a factor: 1 where nothing was turned down.
  ///
  /// - Note: Any thread.
  public var lowestGain: Float {
    Float(bitPattern: kernel.pointee.lowestGain.load(ordering: .relaxed))
  }
}
