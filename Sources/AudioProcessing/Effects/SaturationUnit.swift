// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Bends loud samples towards full scale, as tubes and tape do: warmer, denser, at last distorted.
///
/// The curve is that of a hyperbolic tangent, alike up and down, so that it adds odd overtones only.
/// What is full scale stays full scale; what is quieter becomes louder by up to the drive. It works
/// at four times the rate: of a tone, what folds back below 0.4 of the rate is 80 dB below what was
/// bent. The output is 32 frames late, and so is what passes unbent.
///
/// - Note: Control side; the sound is made on the render thread.
public final class SaturationUnit: SettableUnit, SavableUnit {
  /// The parameters of a saturation.
  public enum Setting: Int, Sendable {
    /// What the sound is raised by before it is bent, 0…48 dB; 6 at first.
    case drive
    /// What the bent sound is raised by, −40…12 dB; 0 at first.
    case output
    /// The share of the bent sound in what comes out, 0…1; the rest is what came in. 1 at first.
    case mix
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The frames that both filters take.
  public var latency: Int { Oversampler.delay }
  /// Drive, output and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<SaturationKernel>

  /// Creates a saturation.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - rate: frames a second.
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

  /// The saturation's kernel.
  public var step: RenderStep { kernel.step }

  /// The length of both filters.
  public var tail: Int { 2 * Oversampler.delay }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("saturation", ["channels": .count(inputChannelCounts[0])])
  }
}
