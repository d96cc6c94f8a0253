// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Measures the level of a bus.
///
/// Connect the bus to the meter in addition to its other destination; the meter does not change the
/// sound.
///
/// - Note: Use the unit on one thread at a time; the render thread measures the levels.
public final class MeterTap: ProcessingUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The tap does not have outputs.
  public var outputChannelCounts: [Int] { [] }
  private let kernel: KernelBox<MeterKernel>

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels.
  ///   - rate: the sample rate.
  public init(name: String = "meter", channelCount: Int = 2, rate: SampleRate) {
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    kernel = unsafe KernelBox(
      MeterKernel(channelCount: channelCount, rate: rate), MeterKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("meter", ["channels": .count(inputChannelCounts[0])])
  }

  /// Returns the level of a channel.
  ///
  /// Channels are counted from 0.
  public func level(of channel: Int) -> Level {
    precondition((0..<inputChannelCounts[0]).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }
}
