// SPDX-License-Identifier: Apache-2.0

/// Outputs a delayed copy of a bus for each delay.
///
/// It is inserted if paths of different latency meet.
@safe
final class AlignmentUnit: ProcessingUnit {
  let name = "alignment"
  let inputChannelCounts: [Int]
  let outputChannelCounts: [Int]
  /// The delay of each output, in frames, in ascending order.
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
