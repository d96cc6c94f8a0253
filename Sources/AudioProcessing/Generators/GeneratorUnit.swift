// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Test signal generator with one mono output.
///
/// - Note: Use the unit on one thread at a time; the render thread makes the sound.
public final class GeneratorUnit: SettableUnit, SavableUnit {
  /// The kinds of test signals.
  public enum Signal: UInt8, Sendable, CaseIterable {
    /// A sine tone.
    ///
    /// The level is the peak.
    case sine
    /// White noise, with the same power at all frequencies.
    ///
    /// The level is the peak.
    case whiteNoise
    /// Pink noise: the power of every octave is the same, within 1 dB from 20 Hz to half the sample
    /// rate.
    case pinkNoise
    /// Band-limited clicks with a latency of 32 frames; `frequency` is the number of clicks per
    /// second.
    case clicks
  }

  /// The parameters of a generator.
  public enum Setting: Int, Sendable {
    /// Frequency of the sine, or the number of clicks per second, from 0.01 Hz to 0.49 of the
    /// sample rate; default 1000 Hz.
    case frequency
    /// Level of the signal, a linear factor 0…1; default 0.5.
    case level
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The kind of signal.
  public let signal: Signal
  /// The parameters: frequency and level.
  public let parameters: ParameterSet
  private let seed: UInt64
  private let kernel: KernelBox<GeneratorKernel>

  /// Creates a generator that begins at phase 0.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - signal: the kind of signal.
  ///   - seed: the seed of noise; the same seed gives the same noise.
  ///   - rate: the sample rate.
  public init(
    name: String = "generator", _ signal: Signal, seed: UInt64 = 1, rate: SampleRate
  ) {
    self.name = name
    self.rate = rate
    self.signal = signal
    self.seed = seed
    let highest = Float(rate.hertz) * 0.49
    parameters = ParameterSet(
      [
        Parameter("frequency", .hertz, 0.01...highest, initially: min(1000, highest)),
        Parameter("level", .factor, 0...1, initially: 0.5),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      GeneratorKernel(signal, seed: seed, rate: rate, bank: parameters.bank),
      GeneratorKernel.function)
  }

  /// The generator does not have inputs.
  public var inputChannelCounts: [Int] { [] }

  /// The channel count of each output: one mono bus.
  public var outputChannelCounts: [Int] { [1] }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit; nil if the seed is above `Int.max`.
  public var setup: UnitSetup? {
    guard seed <= UInt64(Int.max) else { return nil }
    return UnitSetup("generator", ["signal": .word("\(signal)"), "seed": .count(Int(seed))])
  }
}
