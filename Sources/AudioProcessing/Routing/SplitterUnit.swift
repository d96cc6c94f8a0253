// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Gives one bus to several, each with a gain of its own: a send.
///
/// Without gains no splitter is needed: several inputs may hear one output bus.
///
/// - Note: Control side; the sound is made on the render thread.
public final class SplitterUnit: ParametricUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// Buses with as many channels.
  public let outputChannelCounts: [Int]
  /// The gain of each output, a linear factor, 0…16; 1 at first.
  public let parameters: ParameterSet
  private let kernel: KernelBox<SplitterKernel>

  /// Creates a splitter whose outputs are all like its input.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - outputCount: the number of outputs, 1…1024.
  ///   - channelCount: the channels of each bus.
  ///   - rate: frames a second.
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

  /// The splitter's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "splitter",
      ["outputs": .count(outputChannelCounts.count), "channels": .count(inputChannelCounts[0])])
  }
}
