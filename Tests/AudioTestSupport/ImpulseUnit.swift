// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import MusicalTime

/// One sample of full scale at frame 0, on both channels or on one, and silence.
package final class ImpulseUnit: ProcessingUnit {
  private struct Kernel {
    package let channel: Int?

    package static let function: RenderStep.Function = { kernel, block in
      let channel = unsafe kernel.assumingMemoryBound(to: Kernel.self).pointee.channel
      let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
      let bus = block.output(0)
      bus.clear()
      guard block.start.frames == 0 else { return }
      for place in 0..<bus.channelCount where channel == nil || channel == place {
        unsafe bus.channel(place)[0] = 1
      }
    }
  }

  package let name = "impulse"
  package let inputChannelCounts: [Int] = []
  package let outputChannelCounts: [Int]
  private let kernel: KernelBox<Kernel>

  package init(channel: Int? = nil, channelCount: Int = 2) {
    outputChannelCounts = [channelCount]
    kernel = unsafe KernelBox(Kernel(channel: channel), Kernel.function)
  }

  package var step: RenderStep { kernel.step }
}

extension ParameterSet {
  /// Sets a parameter at once.
  package func hold<Setting: RawRepresentable<Int>>(_ setting: Setting, to value: Float) {
    do { try set(setting.rawValue, to: value, over: 0) } catch { fatalError("\(error)") }
  }
}
