// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Phaser: notches that sweep through the spectrum.
///
/// Every two stages produce one notch.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class PhaserUnit: SettableUnit, StereoEffect {
  /// The parameters of a phaser.
  public enum Setting: Int, Sendable {
    /// Rate of the sweep, 0.01…20 Hz; default 0.5 Hz.
    case rate
    /// Width of the sweep, 0…1; default 0.5.
    ///
    /// A value of 1 is two octaves up and two octaves down.
    case depth
    /// Centre of the sweep, 50…10 000 Hz; default 1000 Hz.
    case frequency
    /// Gain with which the output of the last stage is fed back to the first, a factor 0…0.95;
    /// default 0.3.
    case resonance
    /// Phase of the right side's sweep relative to the left side's, 0…1; default 0.5.
    ///
    /// A value of 1 is half a cycle.
    case spread
    /// Share of the phase-shifted sound in the output, 0…1; default 0.5, which gives the deepest
    /// notches.
    case mix
  }

  /// The number of all-pass filters (stages) on each side.
  public let stageCount: Int
  /// The parameters: rate, depth, frequency, resonance, spread and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<PhaserKernel>

  /// Creates a phaser.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - stageCount: the number of all-pass filters on each side, 2…12.
  ///   - rate: the sample rate.
  public init(name: String = "phaser", stageCount: Int = 6, rate: SampleRate) {
    precondition((2...12).contains(stageCount), "a phaser has 2 to 12 stages")
    self.stageCount = stageCount
    parameters = ParameterSet(
      [
        Parameter("rate", .hertz, 0.01...20, initially: 0.5, rampSeconds: 0.05),
        Parameter("depth", .factor, 0...1, initially: 0.5, rampSeconds: 0.1),
        Parameter("frequency", .hertz, 50...10_000, initially: 1000, rampSeconds: 0.1),
        Parameter("resonance", .factor, 0...0.95, initially: 0.3, rampSeconds: 0.05),
        Parameter("spread", .factor, 0...1, initially: 0.5, rampSeconds: 0.1),
        Parameter("mix", .factor, 0...1, initially: 0.5, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      PhaserKernel(stageCount: stageCount, rate: rate, bank: parameters.bank),
      PhaserKernel.function, clearing: PhaserKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the resonance can continue to sound after the input is silent.
  public var tail: Int { Int(parameters.rate.hertz) / 4 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("phaser", ["stages": .count(stageCount)]) }
}
