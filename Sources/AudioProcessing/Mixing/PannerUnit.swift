// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Panner: places a mono or stereo bus between left and right.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class PannerUnit: SettableUnit, SavableUnit {
  /// The parameters of a panner.
  public enum Setting: Int, Sendable {
    /// Pan, −1 (left) to 1 (right); default 0, the centre.
    case pan
    /// Gain, a linear factor 0…16; default 1.
    case gain
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: one mono or stereo bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one stereo bus.
  public var outputChannelCounts: [Int] { [2] }
  /// The parameters: pan and gain.
  public let parameters: ParameterSet
  private let law: PanLaw
  private let kernel: KernelBox<PannerKernel>

  /// Creates a panner in the centre.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the channel count of the input, 1 or 2.
  ///   - law: the pan law.
  ///   - rate: the sample rate.
  public init(
    name: String = "panner", channelCount: Int = 1, law: PanLaw = .constantPower, rate: SampleRate
  ) {
    precondition((1...2).contains(channelCount), "a panner has 1 or 2 channels")
    self.name = name
    self.rate = rate
    self.law = law
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("pan", .position, -1...1, initially: 0),
        Parameter("gain", .factor, 0...16, initially: 1),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      PannerKernel(law: law, bank: parameters.bank), PannerKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("panner", ["channels": .count(inputChannelCounts[0]), "law": .word("\(law)")])
  }
}
