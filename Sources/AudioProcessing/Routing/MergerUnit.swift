// SPDX-License-Identifier: Apache-2.0

/// Merges the channels of several buses into one bus.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class MergerUnit: ProcessingUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channel count of each input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus with the channels of all inputs, in order.
  public let outputChannelCounts: [Int]
  private let kernel: KernelBox<MergerKernel>

  /// Creates a merger.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCounts: the channel count of each input bus; 1 to 131 072 channels in total, which
  ///     is enough for two channels for each of the 65 536 tracks that a file can have.
  public init(name: String = "merger", channelCounts: [Int]) {
    let sum = channelCounts.reduce(0, +)
    precondition(
      channelCounts.allSatisfy { $0 > 0 } && (1...1 << 17).contains(sum), "1…131 072 channels")
    self.name = name
    inputChannelCounts = channelCounts
    outputChannelCounts = [sum]
    kernel = unsafe KernelBox(MergerKernel(), MergerKernel.function)
  }

  /// True: an input without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("merger", ["inputs": .counts(inputChannelCounts)])
  }
}
