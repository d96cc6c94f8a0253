// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Lo-fi: an early sampler, with a lower sample rate, fewer bits and a low-pass.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class LoFiUnit: SettableUnit, StereoEffect {
  /// The parameters of a lo-fi effect.
  public enum Setting: Int, Sendable {
    /// Reduced sample rate, 500…48 000 Hz, at most the unit's rate; default 12 000 Hz.
    case rate
    /// Bits per sample, 2…24; default 8.
    case bits
    /// Cutoff of the low-pass, 200…20 000 Hz; default 6000 Hz.
    case tone
    /// Share of the reduced sound, 0…1; default 1.
    case mix
  }

  /// Rate, bits, tone and mix.
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

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The frames for which the filter continues to sound.
  public var tail: Int { Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("lo-fi", [:]) }
}
