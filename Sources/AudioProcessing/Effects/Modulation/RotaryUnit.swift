// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A rotary speaker: a horn for what is above 800 Hz and a drum for what is below, each turning at one
/// of two speeds and taking its time from one to the other.
///
/// Both sides are summed before it.
///
/// - Note: Control side; the sound is made on the render thread.
public final class RotaryUnit: SettableUnit, StereoEffect {
  /// The parameters of a rotary speaker.
  public enum Setting: Int, Sendable {
    /// 0 for slow, 1 for fast; 0 at first.
    case speed
    /// Turns a second of the horn, 0.05…10 Hz: slow, 0.8 at first, and fast, 6.7.
    case hornSlow, hornFast
    /// Time in which the horn does 63 % of a change of speed, 0.02…20 s; 0.5 at first.
    case hornTime
    /// Level of the horn, 0…1; 1 at first.
    case hornLevel
    /// Turns a second of the drum, 0.05…10 Hz: slow, 0.7 at first, and fast, 5.7.
    case drumSlow, drumFast
    /// Time in which the drum does 63 % of a change of speed, 0.02…20 s; 2 at first.
    case drumTime
    /// Level of the drum, 0…1; 1 at first.
    case drumLevel
    /// How much louder the near side is, 0…1; 0.7 at first.
    case separation
    /// The share of the speaker, 0…1; 1 at first.
    case mix
  }

  /// The crossover frequency between horn and drum, in hertz.
  static let crossing = 800.0

  /// Speed, rates, times, levels, separation and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<RotaryKernel>

  /// Creates a rotary speaker.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
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

  /// The speaker's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames of its longest way.
  public var tail: Int { Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("rotary", [:]) }
}
