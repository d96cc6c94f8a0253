// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Tremolo or auto-pan: changes the level of left and right periodically, together (tremolo) or in
/// opposite directions (auto-pan).
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class TremoloUnit: SettableUnit, StereoEffect {
  /// The parameters of a tremolo.
  public enum Setting: Int, Sendable {
    /// Rate of the oscillation, 0.01…40 Hz; default 4 Hz.
    case rate
    /// Depth of the level changes, 0…1; at 1 the level falls to silence.
    ///
    /// Default 0.5.
    case depth
    /// Waveform of the oscillation: 0 triangle, 1 square, 2 sine, 3 rising saw, 4 falling saw;
    /// default 2.
    case wave
    /// Phase of the right side's oscillation relative to the left side's: 0 for a tremolo, 1 (half
    /// a cycle) for an auto-pan.
    ///
    /// Range 0…1. The initial value is a parameter of `init`.
    case spread
  }

  /// The parameters: rate, depth, wave and spread.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TremoloKernel>

  /// Creates a tremolo.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - spread: the initial phase of the right side relative to the left, 0…1, in half cycles.
  ///   - rate: the sample rate.
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

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  ///
  /// The spread is not included, because it is saved as a parameter.
  public var setup: UnitSetup? { UnitSetup("tremolo", [:]) }
}
