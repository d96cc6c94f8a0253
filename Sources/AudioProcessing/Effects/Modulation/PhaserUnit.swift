// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Notches that sweep through the spectrum, half as many as it has stages.
///
/// - Note: Control side; the sound is made on the render thread.
public final class PhaserUnit: SettableUnit, StereoEffect {
  /// The parameters of a phaser.
  public enum Setting: Int, Sendable {
    /// Sweep rate, 0.01…20 Hz; 0.5 at first.
    case rate
    /// Sweep, 0…1 of two octaves to either side; 0.5 at first.
    case depth
    /// Frequency around which it sweeps, 50…10 000 Hz; 1000 at first.
    case frequency
    /// Feedback around the stages, 0…0.95; 0.3 at first.
    case resonance
    /// Phase of the right side's sweep, 0…1 of half a turn; 0.5 at first.
    case spread
    /// The share of the turned sound, 0…1; at 0.5, as at first, the notches are deepest.
    case mix
  }

  /// All-pass filters on each side.
  public let stageCount: Int
  /// Rate, depth, frequency, resonance, spread and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<PhaserKernel>

  /// Creates a phaser.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - stageCount: all-pass filters on each side, 2…12.
  ///   - rate: frames a second.
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

  /// The phaser's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames for which the resonance may ring on.
  public var tail: Int { Int(parameters.rate.hertz) / 4 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("phaser", ["stages": .count(stageCount)]) }
}
