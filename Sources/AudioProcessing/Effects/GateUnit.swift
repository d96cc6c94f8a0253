// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Noise gate: passes sound above a threshold, and reduces quieter sound such as hiss, hum and
/// ringing between notes.
///
/// The gate measures the highest sample of all channels at each frame, and applies one gain to all
/// channels. It opens at the threshold. It closes when the sound has been below the threshold minus
/// the hysteresis for the hold time. While it is fully open, sound passes unchanged, bit for bit.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class GateUnit: SettableUnit, SavableUnit {
  /// The parameters of a gate.
  public enum Setting: Int, Sendable {
    /// Level at which the gate opens, −100…0 dBFS; default −50 dBFS.
    case threshold
    /// Distance below the threshold at which the gate closes, 0…24 dB; default 6 dB.
    case hysteresis
    /// Time in which 63 % of the opening is done, 0…0.5 s; default 1 ms.
    case attack
    /// Time for which the gate stays open after the sound has become quiet, 0…5 s; default 0.05 s.
    ///
    /// Use more than half a cycle of the lowest tone, or the gate closes within cycles.
    case hold
    /// Time in which 63 % of the closing is done, 0.001…5 s; default 0.1 s.
    case release
    /// Gain of the closed gate, −100…0 dB; default −100 dB, which is silence.
    case range
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
  public let latency: Int
  /// Threshold, hysteresis, attack, hold, release and range.
  public let parameters: ParameterSet
  private let kernel: KernelBox<GateKernel>

  /// Creates a closed gate.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - lookAhead: the frames by which the gate reacts in advance and its output is delayed,
  ///     0…4096.
  ///   - rate: the sample rate.
  public init(
    name: String = "gate", channelCount: Int = 2, lookAhead: Int = 0, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a gate has 1 to 64 channels")
    precondition((0...4096).contains(lookAhead), "a gate looks ahead by 0 to 4096 frames")
    self.name = name
    self.rate = rate
    latency = lookAhead
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("threshold", .decibels, -100...0, initially: -50, rampSeconds: 0),
        Parameter("hysteresis", .decibels, 0...24, initially: 6, rampSeconds: 0),
        Parameter("attack", .seconds, 0...0.5, initially: 0.001, rampSeconds: 0),
        Parameter("hold", .seconds, 0...5, initially: 0.05, rampSeconds: 0),
        Parameter("release", .seconds, 0.001...5, initially: 0.1, rampSeconds: 0),
        Parameter(
          "range", .decibels, GateKernel.shut...0, initially: GateKernel.shut,
          rampSeconds: 0),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      GateKernel(
        channelCount: channelCount, lookAhead: lookAhead, rate: rate, bank: parameters.bank),
      GateKernel.function)
  }

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The frames that the look-ahead delays.
  public var tail: Int { latency }

  /// The gain at the end of the last quantum, a factor 0…1.
  ///
  /// - Note: Any thread.
  public var gain: Float { Float(bitPattern: kernel.pointee.gain.load(ordering: .relaxed)) }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("gate", ["channels": .count(inputChannelCounts[0]), "lookAhead": .count(latency)])
  }
}
