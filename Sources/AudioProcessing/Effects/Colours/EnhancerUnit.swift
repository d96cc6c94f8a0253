// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Enhancer: makes a dull sound clearer, by adding overtones of its high frequencies.
///
/// The unit works at four times the sample rate and has a latency of 32 frames.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class EnhancerUnit: SettableUnit, StereoEffect {
  /// The parameters of an enhancer.
  public enum Setting: Int, Sendable {
    /// Frequency above which the sound gets overtones, 300…10 000 Hz; default 2500 Hz.
    case frequency
    /// Gain before the distortion that makes the overtones, 0…36 dB; default 12 dB.
    case drive
    /// Gain with which the overtones are added, 0…1; default 0.3.
    case mix
  }

  /// The delay from input to output in frames, caused by the oversampling filters.
  public var latency: Int { Oversampler.delay }
  /// The parameters: frequency, drive and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<EnhancerKernel>

  /// Creates an enhancer.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
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

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the filters can continue to sound after the input is silent.
  public var tail: Int { latency + 256 + Int(parameters.rate.hertz) / 20 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("enhancer", [:]) }
}
