// SPDX-License-Identifier: Apache-2.0

/// Goes over from its first input to its second, once, from its first quantum on.
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
