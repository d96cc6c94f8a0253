// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Noise gate: passes sound above a threshold, and reduces quieter sound such as hiss, hum and
/// ringing between notes.
///
/// The gate measures the highest sample of all channels at each frame, and applies one gain to all
/// channels. The gate opens when the level reaches the threshold. The gate closes when the level
/// has been below the threshold minus the hysteresis for the hold time. While the gate is fully
/// open, sound passes unchanged, bit for bit.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class GateUnit: SettableUnit, SavableUnit {
  /// The parameters of a gate.
  public enum Setting: Int, Sendable {
    /// Level at which the gate opens, −100…0 dBFS; default −50 dBFS.
    case threshold
    /// Hysteresis: how far below the threshold the level must fall before the gate closes, 0…24 dB;
    /// default 6 dB.
    case hysteresis
    /// Attack: the time in which the gate opens by 63 %, 0…0.5 s; default 1 ms.
    case attack
    /// Time for which the gate stays open after the sound has become quiet, 0…5 s; default 0.05 s.
    ///
    /// Use more than half a cycle of the lowest tone; with a shorter time, the gate closes and
    /// opens within each cycle.
    case hold
    /// Release: the time in which the gate closes by 63 %, 0.001…5 s; default 0.1 s.
    case release
    /// Gain of the closed gate, −100…0 dB; default −100 dB, which is silence.
    case range
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
  /// The parameters: threshold, hysteresis, attack, hold, release and range.
  public let parameters: ParameterSet
  private let kernel: KernelBox<GateKernel>

  /// Creates a closed gate.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - lookAhead: the number of frames by which the gate opens before a sound, and by which the
  ///     output is delayed, 0…4096.
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

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames by which the look-ahead delays the sound.
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
