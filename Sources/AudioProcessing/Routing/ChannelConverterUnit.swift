// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Converts a bus to another channel count, with a gain from each input channel to each output
/// channel.
///
/// By default a mono input goes to both channels of a stereo output, and a mono output receives the
/// mean of a stereo input. With other channel counts, each channel goes to the channel with the
/// same number. The gain from input channel i to output channel o is the parameter with the index o
/// × (number of input channels) + i.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class ChannelConverterUnit: ParametricUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: the unit has one output bus.
  public let outputChannelCounts: [Int]
  /// The gains from each input channel to each output channel, linear factors −16…16.
  public let parameters: ParameterSet
  private let kernel: KernelBox<ChannelConverterKernel>

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - from: the channel count of the input, 1…64.
  ///   - to: the channel count of the output, 1…64.
  ///   - rate: the sample rate.
  public init(name: String = "converter", from: Int, to: Int, rate: SampleRate) {
    precondition(
      (1...64).contains(from) && (1...64).contains(to), "the channel counts must be 1 to 64")
    self.name = name
    self.rate = rate
    inputChannelCounts = [from]
    outputChannelCounts = [to]
    let crossings = (0..<to).flatMap { target in (0..<from).map { ($0, target) } }
    parameters = ParameterSet(
      crossings.map { source, target in
        Parameter(
          "\(source + 1) to \(target + 1)", .factor, -16...16,
          initially: Self.gain(source, target, from, to))
      }, rate: rate, unit: name)
    kernel = unsafe KernelBox(
      ChannelConverterKernel(bank: parameters.bank), ChannelConverterKernel.function)
  }

  private static func gain(_ source: Int, _ target: Int, _ from: Int, _ to: Int) -> Float {
    if from == 1 { return target < 2 ? 1 : 0 }
    if from == 2, to == 1 { return 0.5 }
    return source == target ? 1 : 0
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "converter",
      ["from": .count(inputChannelCounts[0]), "to": .count(outputChannelCounts[0])])
  }
}
