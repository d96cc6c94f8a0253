// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Rotary speaker: a horn for frequencies above 800 Hz and a drum for those below, each with two
/// speeds.
///
/// The rotors accelerate and slow down gradually. Left and right are summed at the input.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class RotaryUnit: SettableUnit, StereoEffect {
  /// The parameters of a rotary speaker.
  public enum Setting: Int, Sendable {
    /// Speed of both rotors: 0 is slow, 1 is fast; default 0.
    case speed
    /// Rotations per second of the horn, 0.05…10 Hz; default 0.8 Hz slow and 6.7 Hz fast.
    case hornSlow, hornFast
    /// Time in which the horn completes 63 % of a change of speed, 0.02…20 s; default 0.5 s.
    case hornTime
    /// Gain of the horn, 0…1; default 1.
    case hornLevel
    /// Rotations per second of the drum, 0.05…10 Hz; default 0.7 Hz slow and 5.7 Hz fast.
    case drumSlow, drumFast
    /// Time in which the drum completes 63 % of a change of speed, 0.02…20 s; default 2 s.
    case drumTime
    /// Gain of the drum, 0…1; default 1.
    case drumLevel
    /// Strength of the level changes while the rotors turn towards the listener and away, 0…1;
    /// default 0.7.
    case separation
    /// Share of the speaker's sound in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 1.
    case mix
  }

  /// The crossover frequency between horn and drum, in hertz.
  static let crossing = 800.0

  /// The parameters: speed, the parameters of the horn and of the drum, separation and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<RotaryKernel>

  /// Creates a rotary speaker.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public init(name: String = "rotary", rate: SampleRate) {
    parameters = ParameterSet(
      [
        Parameter("speed", .toggle, 0...1, initially: 0, rampSeconds: 0),
        Parameter("horn slow", .hertz, 0.05...10, initially: 0.8, rampSeconds: 0),
        Parameter("horn fast", .hertz, 0.05...10, initially: 6.7, rampSeconds: 0),
        Parameter("horn time", .seconds, 0.02...20, initially: 0.5, rampSeconds: 0),
        Parameter("horn level", .factor, 0...1, initially: 1, rampSeconds: 0.02),
        Parameter("drum slow", .hertz, 0.05...10, initially: 0.7, rampSeconds: 0),
        Parameter("drum fast", .hertz, 0.05...10, initially: 5.7, rampSeconds: 0),
        Parameter("drum time", .seconds, 0.02...20, initially: 2, rampSeconds: 0),
        Parameter("drum level", .factor, 0...1, initially: 1, rampSeconds: 0.02),
        Parameter("separation", .factor, 0...1, initially: 0.7, rampSeconds: 0.05),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      RotaryKernel(rate: rate, bank: parameters.bank), RotaryKernel.function,
      clearing: RotaryKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames in 50 ms, for which the sound can continue after the input is silent.
  public var tail: Int { Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("rotary", [:]) }
}
