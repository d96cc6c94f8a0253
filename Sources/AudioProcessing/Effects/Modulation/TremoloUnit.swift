// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Swings the level of both sides together, as a tremolo, or against each other, as an auto pan.
///
/// - Note: Control side; the sound is made on the render thread.
public final class TremoloUnit: SettableUnit, StereoEffect {
  /// The parameters of a tremolo.
  public enum Setting: Int, Sendable {
    /// Swings a second, 0.01…40 Hz; 4 at first.
    case rate
    /// How far the level falls, 0…1: at 1 to silence; 0.5 at first.
    case depth
    /// The wave: 0 triangle, 1 square, 2 sine, 3 rising saw, 4 falling saw; 2 at first.
    case wave
    /// Phase of the right side, 0…1 of half a turn: 0 for a tremolo, 1 for an auto pan.
    case spread
  }

  /// Rate, depth, wave and spread.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TremoloKernel>

  /// Creates a tremolo.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - spread: the phase of the right side at first, 0…1.
  ///   - rate: frames a second.
  public init(name: String = "tremolo", spread: Float = 0, rate: SampleRate) {
    precondition((0...1).contains(spread), "a spread is 0 to 1")
    parameters = ParameterSet(
      [
        Parameter("rate", .hertz, 0.01...40, initially: 4, rampSeconds: 0.05),
        Parameter("depth", .factor, 0...1, initially: 0.5, rampSeconds: 0.05),
        Parameter("wave", .number, 0...4, initially: 2, rampSeconds: 0),
        Parameter("spread", .factor, 0...1, initially: spread, rampSeconds: 0.1),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      TremoloKernel(rate: rate, bank: parameters.bank), TremoloKernel.function,
      clearing: TremoloKernel.clearing)
  }

  /// The tremolo's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it; the spread is a parameter.
  public var setup: UnitSetup? { UnitSetup("tremolo", [:]) }
}
