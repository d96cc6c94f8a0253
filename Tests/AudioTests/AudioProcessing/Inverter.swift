// SPDX-License-Identifier: Apache-2.0
import AudioProcessing

/// Turns both channels over.
struct Inverter: SoundKernel {
  func render(_ block: SoundBlock) {
    for channel in 0..<2 {
      let input = block.input(channel)
      var output = block.output(channel)
      for frame in 0..<block.frameCount { output[frame] = -input[frame] }
    }
  }

  static func unit() -> KernelUnit {
    KernelUnit(Inverter(), name: "inverter", inputs: [2], rate: Rate.studio)
  }
}
