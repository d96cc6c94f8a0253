// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import MusicalTime

/// One sample of full scale at a frame, on one channel.
package final class LateClickUnit: ProcessingUnit {
  private struct Kernel {
    let frame: Int64

    static let function: RenderStep.Function = { kernel, block in
      let frame = unsafe kernel.assumingMemoryBound(to: Kernel.self).pointee.frame
      let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
      let bus = block.output(0)
      bus.clear()
      let offset = frame - block.start.frames
      if (0..<64).contains(offset) { unsafe bus.channel(0)[Int(offset)] = 1 }
    }
  }

  package let name = "late click"
  package let inputChannelCounts: [Int] = []
  package let outputChannelCounts = [1]
  private let kernel: KernelBox<Kernel>

  package init(frame: Int64) {
    kernel = unsafe KernelBox(Kernel(frame: frame), Kernel.function)
  }

  package var step: RenderStep { kernel.step }
}
