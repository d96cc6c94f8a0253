// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Lo-fi: the sound of an early sampler, with a lower sample rate, fewer bits and a low-pass.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class LoFiUnit: SettableUnit, StereoEffect {
  /// The parameters of a lo-fi effect.
  public enum Setting: Int, Sendable {
    /// Reduced sample rate, from 500 Hz to 48 000 Hz or the unit's sample rate, if that is less;
    /// default 12 000 Hz.
    case rate
    /// Bits per sample, 2…24; default 8.
    case bits
    /// Cutoff of the low-pass, 200…20 000 Hz; default 6000 Hz.
    case tone
    /// Share of the lo-fi sound in the output, 0…1; default 1, without the dry sound.
    case mix
  }

  /// The parameters: rate, bits, tone and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<LoFiKernel>

  /// Creates a lo-fi effect.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public init(name: String = "lo-fi", rate: SampleRate) {
    parameters = ParameterSet(
      [
        Parameter("rate", .hertz, 500...48_000, initially: 12_000, rampSeconds: 0.05),
        Parameter("bits", .number, 2...24, initially: 8, rampSeconds: 0.05),
        Parameter("tone", .hertz, 200...20_000, initially: 6000, rampSeconds: 0.05),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      LoFiKernel(rate: rate, bank: parameters.bank), LoFiKernel.function,
      clearing: LoFiKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the filter can continue to sound after the input is silent.
  public var tail: Int { Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("lo-fi", [:]) }
}
