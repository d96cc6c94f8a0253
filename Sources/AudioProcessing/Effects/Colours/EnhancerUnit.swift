// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Adds overtones of what is above a frequency, so that a dull sound becomes clearer.
///
/// It works at four times the rate and is 32 frames late.
///
/// - Note: Control side; the sound is made on the render thread.
public final class EnhancerUnit: SettableUnit, StereoEffect {
  /// The parameters of an enhancer.
  public enum Setting: Int, Sendable {
    /// Above which frequency overtones are made, 300…10 000 Hz; 2500 at first.
    case frequency
    /// Gain before the curve, 0…36 dB; 12 at first.
    case drive
    /// Level of the overtones, 0…1; 0.3 at first.
    case mix
  }

  /// The frames of the filters that oversample.
  public var latency: Int { Oversampler.delay }
  /// Frequency, drive and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<EnhancerKernel>

  /// Creates an enhancer.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public init(name: String = "enhancer", rate: SampleRate) {
    parameters = ParameterSet(
      [
        Parameter("frequency", .hertz, 300...10_000, initially: 2500, rampSeconds: 0.05),
        Parameter("drive", .decibels, 0...36, initially: 12, rampSeconds: 0.02),
        Parameter("mix", .factor, 0...1, initially: 0.3, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      EnhancerKernel(rate: rate, bank: parameters.bank), EnhancerKernel.function,
      clearing: EnhancerKernel.clearing)
  }

  /// The enhancer's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames for which its filters ring on.
  public var tail: Int { latency + 256 + Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("enhancer", [:]) }
}
