// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Wah: a resonant filter, moved by the level of the sound, by an oscillator, or by automation.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class WahUnit: SettableUnit, StereoEffect {
  /// The parameters of a wah.
  public enum Setting: Int, Sendable {
    /// Frequency of the filter when neither the level nor the oscillator moves it, 50…10 000 Hz;
    /// default 500 Hz.
    case frequency
    /// Influence of the sound's level on the frequency, 0…1; at 1 a full-scale level moves the
    /// filter by four octaves.
    ///
    /// Default 0.5.
    case sensitivity
    /// Resonance of the filter as Q, 0.5…20; default 4.
    case peak
    /// Rate of the oscillator, 0.01…20 Hz; default 2 Hz.
    case rate
    /// Influence of the oscillator on the frequency, 0…1; default 0.
    ///
    /// At 1 the oscillator moves the filter two octaves up and down.
    case depth
    /// Direction in which the level moves the frequency, −1…1: 1 is up, −1 is down, and values
    /// between move it less; default 1.
    case direction
    /// Kind of filter: 0 is a low-pass, 1 is a band-pass, and values between are a mixture; default
    /// 1.
    case band
    /// Share of the filtered sound in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 1.
    case mix
  }

  /// The parameters: frequency, sensitivity, peak, rate, depth, direction, band and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<WahKernel>

  /// Creates a wah.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
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

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the filter can continue to sound after the input is silent.
  public var tail: Int { Int(parameters.rate.hertz) / 2 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("wah", [:]) }
}
