// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The unit of a source node whose sound must be converted: another thread renders and converts it
/// ahead.
final class SupplyUnit: ProcessingUnit, EngineServed, @unchecked Sendable {
  // Unchecked: the kernel is that of the render thread; the supply and the writer of the ring are used
  // under the lock.

  let name = "source"
  let rate: SampleRate?
  let inputChannelCounts: [Int] = []
  let outputChannelCounts: [Int]
  private let supply: Mutex<BlockSupply>
  private let ring: RingBuffer<Float>
  private let kernel: KernelBox<SupplyKernel>
  private let channelCount: Int

  /// The frames that are rendered ahead on a device.
  private static let aheadFrames = 4096

  init(_ supply: BlockSupply, channelCount: Int, rate: SampleRate) {
    self.rate = rate
    self.channelCount = channelCount
    self.supply = Mutex(supply)
    outputChannelCounts = [channelCount]
    ring = RingBuffer(minimumCapacity: 2 * Self.aheadFrames * channelCount)
    kernel = unsafe KernelBox(
      SupplyKernel(ring.reader, channelCount: channelCount), SupplyKernel.function)
  }

  var step: RenderStep { kernel.step }

  func serve(_ moment: EngineMoment) {
    let wanted = moment.isOffline ? AudioFormat.quantum : Self.aheadFrames
    supply.withLock { supply in
      let missing = wanted - ring.reader.count / channelCount
      guard missing > 0 else { return }
      let samples = supply.frames(missing)
      // The ring has room for twice the frames.
      _ = ring.writer.push(contentsOf: samples.span)
    }
  }
}

/// The render side of a source that is rendered ahead.
struct SupplyKernel: ~Copyable {
  private let ring: RingReader<Float>
  private let channelCount: Int

  init(_ ring: RingReader<Float>, channelCount: Int) {
    self.ring = ring
    self.channelCount = channelCount
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SupplyKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    let bus = block.output(0)
    bus.clear()
    let count = min(AudioFormat.quantum, ring.count / channelCount)
    for frame in 0..<count {
      for channel in 0..<channelCount {
        unsafe bus.channel(channel)[frame] = ring.pop() ?? 0
      }
    }
  }
}
