// SPDX-License-Identifier: Apache-2.0

/// Fades from its first input to its second, once, beginning at its first quantum.
@safe
final class FadeUnit: ProcessingUnit {
  let name = "fade"
  let inputChannelCounts: [Int]
  let outputChannelCounts: [Int]
  let acceptsOpenInputs = true
  private let kernel: KernelBox<FadeKernel>

  init(channelCount: Int, frameCount: Int) {
    inputChannelCounts = [channelCount, channelCount]
    outputChannelCounts = [channelCount]
    kernel = unsafe KernelBox(FadeKernel(frameCount: frameCount), FadeKernel.function)
  }

  var step: RenderStep { kernel.step }
}
