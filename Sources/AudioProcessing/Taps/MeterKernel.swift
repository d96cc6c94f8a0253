// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a meter.
struct MeterKernel: ~Copyable {
  let gauges: LevelGauges
  private let channelCount: Int

  init(channelCount: Int, rate: SampleRate) {
    self.channelCount = channelCount
    gauges = LevelGauges(count: channelCount, rate: rate)
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: MeterKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    let input = block.input(0)
    for channel in 0..<channelCount {
      unsafe gauges.take(SampleLoop.power(of: input.channel(channel)), channel)
    }
  }
}
