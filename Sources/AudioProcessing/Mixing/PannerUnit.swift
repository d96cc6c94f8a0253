// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Places one mono or stereo bus between left and right.
///
/// - Note: Control side; the sound is made on the render thread.
public final class PannerUnit: SettableUnit, SavableUnit {
  /// The parameters of a panner.
  public enum Setting: Int, Sendable {
    /// Where the sound stands, −1 (left) to 1 (right); 0, the middle, at first.
    case pan
    /// A linear factor, 0…16; 1 at first.
    case gain
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus of one or two channels.
  public let inputChannelCounts: [Int]
  /// One stereo bus.
  public var outputChannelCounts: [Int] { [2] }
  /// Pan and gain.
  public let parameters: ParameterSet
  private let law: PanLaw
  private let kernel: KernelBox<PannerKernel>

  /// Creates a panner that stands in the middle.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its input, 1 or 2.
  ///   - law: how pan becomes two gains.
  ///   - rate: frames a second.
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

  /// The panner's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("panner", ["channels": .count(inputChannelCounts[0]), "law": .word("\(law)")])
  }
}
