// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An early sampler: samples held for longer, with fewer bits, and a low-pass.
///
/// - Note: Control side; the sound is made on the render thread.
public final class LoFiUnit: SettableUnit, StereoEffect {
  /// The parameters of a lo-fi.
  public enum Setting: Int, Sendable {
    /// Samples a second, 500…48 000 Hz; at most the unit's own rate; 12 000 at first.
    case rate
    /// Bits of a sample, 2…24; 8 at first.
    case bits
    /// Cutoff of the low-pass, 200…20 000 Hz; 6000 at first.
    case tone
    /// The share of the rough sound, 0…1; 1 at first.
    case mix
  }

  /// Rate, bits, tone and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<LoFiKernel>

  /// Creates a lo-fi.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
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

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames for which its filter rings on.
  public var tail: Int { Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("lo-fi", [:]) }
}
