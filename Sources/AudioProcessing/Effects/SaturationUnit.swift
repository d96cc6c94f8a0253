// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Saturation: compresses loud samples towards full scale, as tubes and tape do.
///
/// The curve is a symmetric hyperbolic tangent, so it adds odd overtones only. A full-scale sample
/// remains at full scale, and quieter sound becomes louder by up to the drive. The unit works at
/// four times the sample rate: for a tone below 0.4 of the sample rate, aliasing is 80 dB below the
/// saturated sound. The dry sound has the same latency as the saturated sound: 32 frames.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class SaturationUnit: SettableUnit, SavableUnit {
  /// The parameters of a saturation.
  public enum Setting: Int, Sendable {
    /// Gain before the saturation curve, 0…48 dB; default 6 dB.
    case drive
    /// Gain after the saturation curve, −40…12 dB; default 0 dB.
    case output
    /// Share of the saturated sound in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 1.
    case mix
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The delay from input to output in frames, caused by the oversampling filters.
  public var latency: Int { Oversampler.delay }
  /// The parameters: drive, output and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<SaturationKernel>

  /// Creates a saturation.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - rate: the sample rate.
  public init(name: String = "saturation", channelCount: Int = 2, rate: SampleRate) {
    precondition((1...64).contains(channelCount), "a saturation has 1 to 64 channels")
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("drive", .decibels, 0...48, initially: 6, rampSeconds: 0.02),
        Parameter("output", .decibels, -40...12, initially: 0, rampSeconds: 0.02),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      SaturationKernel(channelCount: channelCount, bank: parameters.bank),
      SaturationKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the output sounds after the input is silent: the length of the
  /// oversampling filters.
  public var tail: Int { 2 * Oversampler.delay }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("saturation", ["channels": .count(inputChannelCounts[0])])
  }
}
