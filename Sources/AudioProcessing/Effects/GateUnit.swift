// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Lets through what is above a threshold, and turns down what is below: hiss, hum and what rings on
/// between notes.
///
/// It hears the highest sample of all channels at each frame and turns them down alike. It opens
/// above the threshold, and closes once the sound has been below the threshold less the hysteresis
/// for as long as it is held. While it is open the sound passes bit for bit.
///
/// - Note: Control side; the sound is made on the render thread.
public final class GateUnit: SettableUnit, SavableUnit {
  /// The parameters of a gate.
  public enum Setting: Int, Sendable {
    /// Above which level it opens, −100…0 dB of full scale; −50 at first.
    case threshold
    /// By how much the sound must fall below the threshold before it closes, 0…24 dB; 6 at first.
    case hysteresis
    /// In what time 63 % of an opening are done, 0…0.5 s; 1 ms at first.
    case attack
    /// How long it stays open when the sound has become quiet, 0…5 s; 0.05 at first. Longer than half
    /// a cycle of the lowest tone, lest it close between two halves.
    case hold
    /// In what time 63 % of a closing are done, 0.001…5 s; 0.1 at first.
    case release
    /// What is left of the sound when it is closed, −100…0 dB; −100, as at first, is silence.
    case range
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
  /// Threshold, hysteresis, attack, hold, release and range.
  public let parameters: ParameterSet
  private let kernel: KernelBox<GateKernel>

  /// Creates a gate, closed.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - lookAhead: the frames by which it knows a sound beforehand, and its output is late, 0…4096.
  ///   - rate: frames a second.
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

  /// The gate's kernel.
  public var step: RenderStep { kernel.step }

  /// What is held back for the look-ahead.
  public var tail: Int { latency }

  /// What the sound was multiplied by at the end of the last quantum, 0…1.
  ///
  /// - Note: Any thread.
  public var gain: Float { Float(bitPattern: kernel.pointee.gain.load(ordering: .relaxed)) }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("gate", ["channels": .count(inputChannelCounts[0]), "lookAhead": .count(latency)])
  }
}
