// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// The render side of a recording tap.
struct RecordingKernel: ~Copyable {
  let droppedFrames = Atomic<Int>(0)
  private let channelCount: Int
  private let ring: RingWriter<Float>

  init(channelCount: Int, ring: RingWriter<Float>) {
    self.channelCount = channelCount
    self.ring = ring
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: RecordingKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    let input = block.input(0)
    guard ring.room >= channelCount &* AudioFormat.quantum else {
      droppedFrames.add(AudioFormat.quantum, ordering: .relaxed)
      return
    }
    for frame in 0..<AudioFormat.quantum {
      for channel in 0..<channelCount { unsafe _ = ring.push(input.channel(channel)[frame]) }
    }
  }
}
