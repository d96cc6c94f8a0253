// SPDX-License-Identifier: Apache-2.0

/// Puts the channels of several buses side by side into one.
///
/// - Note: Control side; the sound is made on the render thread.
public final class MergerUnit: ProcessingUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channels of each bus.
  public let inputChannelCounts: [Int]
  /// One bus with the channels of all, in their order.
  public let outputChannelCounts: [Int]
  private let kernel: KernelBox<MergerKernel>

  /// Creates a merger.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCounts: the channels of each bus: 1 to 131 072 in all, two for each track that a
  ///     file may have.
  public init(name: String = "merger", channelCounts: [Int]) {
    let sum = channelCounts.reduce(0, +)
    precondition(
      channelCounts.allSatisfy { $0 > 0 } && (1...1 << 17).contains(sum), "1…131 072 channels")
    self.name = name
    inputChannelCounts = channelCounts
    outputChannelCounts = [sum]
    kernel = unsafe KernelBox(MergerKernel(), MergerKernel.function)
  }

  /// A bus on which nothing is connected is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The merger's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("merger", ["inputs": .counts(inputChannelCounts)])
  }
}
