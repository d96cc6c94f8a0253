// SPDX-License-Identifier: Apache-2.0

/// Gives a bus on late, once for each delay: what a graph puts where two ways of different latency
/// meet.
@safe
final class AlignmentUnit: ProcessingUnit {
  let name = "alignment"
  let inputChannelCounts: [Int]
  let outputChannelCounts: [Int]
  /// One for each output, in frames, the shortest first.
  let delays: [Int]
  let history: SoundHistory
  private let kernel: KernelBox<AlignmentKernel>

  init(channelCount: Int, delays: [Int], history: SoundHistory) {
    inputChannelCounts = [channelCount]
    outputChannelCounts = delays.map { _ in channelCount }
    self.delays = delays
    self.history = history
    kernel = unsafe KernelBox(AlignmentKernel(history.kernel, delays), AlignmentKernel.function)
  }

  var step: RenderStep { kernel.step }
}
