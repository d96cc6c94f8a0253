// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Makes a test signal on one mono bus.
///
/// - Note: Control side; the sound is made on the render thread.
public final class GeneratorUnit: SettableUnit, SavableUnit {
  /// What is made.
  public enum Signal: UInt8, Sendable, CaseIterable {
    /// A sine; its level is its highest sample.
    case sine
    /// Noise with the same power at every frequency; its level is its highest sample.
    case whiteNoise
    /// Noise with the same power in every octave, 20 Hz to half the rate, within 1 dB.
    case pinkNoise
    /// Band-limited clicks, as many a second as the frequency says; 32 frames late.
    case clicks
  }

  /// The parameters of a generator.
  public enum Setting: Int, Sendable {
    /// Cycles or clicks a second, 0.01 Hz to 0.49 of the rate; 1000 Hz at first.
    case frequency
    /// A linear factor, 0…1; 0.5 at first.
    case level
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// What is made.
  public let signal: Signal
  /// Frequency and level.
  public let parameters: ParameterSet
  private let seed: UInt64
  private let kernel: KernelBox<GeneratorKernel>

  /// Creates a generator that begins at phase 0.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - signal: what is made.
  ///   - seed: where noise begins; the same seed gives the same noise.
  ///   - rate: frames a second.
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

  /// None.
  public var inputChannelCounts: [Int] { [] }

  /// One mono bus.
  public var outputChannelCounts: [Int] { [1] }

  /// The generator's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    guard seed <= UInt64(Int.max) else { return nil }
    return UnitSetup("generator", ["signal": .word("\(signal)"), "seed": .count(Int(seed))])
  }
}
