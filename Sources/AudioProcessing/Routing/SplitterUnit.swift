// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Copies one bus to several outputs, each with a gain, for example for sends.
///
/// If you do not need gains, connect one output to several inputs instead.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class SplitterUnit: ParametricUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output, which is that of the input.
  public let outputChannelCounts: [Int]
  /// The gain of each output, a linear factor 0…16; default 1.
  public let parameters: ParameterSet
  private let kernel: KernelBox<SplitterKernel>

  /// Creates a splitter with a gain of 1 for all outputs.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - outputCount: the number of outputs, 1…1024.
  ///   - channelCount: the channel count of each bus.
  ///   - rate: the sample rate.
  public init(
    name: String = "splitter", outputCount: Int, channelCount: Int = 2, rate: SampleRate
  ) {
    precondition((1...1024).contains(outputCount), "a splitter has 1 to 1024 outputs")
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    outputChannelCounts = Array(repeating: channelCount, count: outputCount)
    parameters = ParameterSet(
      (1...outputCount).map { Parameter("output \($0) gain", .factor, 0...16, initially: 1) },
      rate: rate, unit: name)
    kernel = unsafe KernelBox(SplitterKernel(bank: parameters.bank), SplitterKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "splitter",
      ["outputs": .count(outputChannelCounts.count), "channels": .count(inputChannelCounts[0])])
  }
}
