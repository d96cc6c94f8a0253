// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Splits one bus into several copies, each with a gain, such as sends.
///
/// If gains are not needed, connect the output to several inputs instead.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class SplitterUnit: ParametricUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// Buses with the channel count of the input.
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

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "splitter",
      ["outputs": .count(outputChannelCounts.count), "channels": .count(inputChannelCounts[0])])
  }
}
