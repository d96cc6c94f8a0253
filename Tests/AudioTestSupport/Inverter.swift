// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// Inverts both channels.
package struct Inverter: SoundKernel {
  package func render(_ block: SoundBlock) {
    for channel in 0..<2 {
      let input = block.input(channel)
      var output = block.output(channel)
      for frame in 0..<block.frameCount { output[frame] = -input[frame] }
    }
  }

  package static func unit() -> KernelUnit {
    KernelUnit(Inverter(), name: "inverter", inputs: [2], rate: Rate.studio)
  }
}
