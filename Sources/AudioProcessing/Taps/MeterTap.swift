// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Measures a bus without changing it: connect it beside whatever else hears the bus.
///
/// - Note: Control side; what is measured is measured on the render thread.
public final class MeterTap: ProcessingUnit, SavableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// None.
  public var outputChannelCounts: [Int] { [] }
  private let kernel: KernelBox<MeterKernel>

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of the bus.
  ///   - rate: frames a second.
  public init(name: String = "meter", channelCount: Int = 2, rate: SampleRate) {
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    kernel = unsafe KernelBox(
      MeterKernel(channelCount: channelCount, rate: rate), MeterKernel.function)
  }

  /// The meter's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("meter", ["channels": .count(inputChannelCounts[0])])
  }

  /// What was measured of a channel, counted from 0.
  public func level(of channel: Int) -> Level {
    precondition((0..<inputChannelCounts[0]).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }
}
