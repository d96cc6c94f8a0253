// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A resonant filter moved by the level of the sound, by an oscillator, or by hand.
///
/// - Note: Control side; the sound is made on the render thread.
public final class WahUnit: SettableUnit, StereoEffect {
  /// The parameters of a wah.
  public enum Setting: Int, Sendable {
    /// Frequency at rest, 50…10 000 Hz; 500 at first.
    case frequency
    /// How far the level moves it, 0…1: at 1 four octaves for full scale; 0.5 at first.
    case sensitivity
    /// Q, 0.5…20; 4 at first.
    case peak
    /// Rate of the oscillator, 0.01…20 Hz; 2 at first.
    case rate
    /// How far the oscillator moves it, 0…1 of two octaves to either side; 0 at first.
    case depth
    /// How far, and in which direction, the level moves the filter, −1…1: 1 is up, −1 is down; 1 by default.
    case direction
    /// 0 for a low-pass, 1, as at first, for a band-pass.
    case band
    /// The share of the filtered sound, 0…1; 1 at first.
    case mix
  }

  /// Frequency, sensitivity, peak, rate, depth, direction, band and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<WahKernel>

  /// Creates a wah.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public init(name: String = "wah", rate: SampleRate) {
    parameters = ParameterSet(
      [
        Parameter("frequency", .hertz, 50...10_000, initially: 500, rampSeconds: 0.05),
        Parameter("sensitivity", .factor, 0...1, initially: 0.5, rampSeconds: 0.05),
        Parameter("peak", .number, 0.5...20, initially: 4, rampSeconds: 0.05),
        Parameter("rate", .hertz, 0.01...20, initially: 2, rampSeconds: 0.05),
        Parameter("depth", .factor, 0...1, initially: 0, rampSeconds: 0.05),
        Parameter("direction", .factor, -1...1, initially: 1, rampSeconds: 0.05),
        Parameter("band", .factor, 0...1, initially: 1, rampSeconds: 0.05),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      WahKernel(rate: rate, bank: parameters.bank), WahKernel.function,
      clearing: WahKernel.clearing)
  }

  /// The wah's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames for which the filter may ring on.
  public var tail: Int { Int(parameters.rate.hertz) / 2 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("wah", [:]) }
}
