// SPDX-License-Identifier: Apache-2.0

/// The last frames of a bus, for the alignments that hear it late.
///
/// It stands at one place in memory while it lives; two programs of which one takes over from the
/// other share it, so that no sound is missing between them.
@safe
final class SoundHistory {
  /// The greatest delay that can be heard, in frames.
  let longest: Int
  let kernel: UnsafeMutablePointer<HistoryKernel>

  /// Makes a silent history.
  ///
  /// - Parameters:
  ///   - channelCount: the channels of the bus.
  ///   - longest: the greatest delay that is needed, in frames.
  ///   - fadeFrames: the frames in which the sound fades in; 0 where it begins with the bus.
  init(channelCount: Int, longest: Int, fadeFrames: Int) {
    var capacity = 1024
    while capacity < longest + AudioFormat.quantum { capacity *= 2 }
    self.longest = capacity - AudioFormat.quantum
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(
      to: HistoryKernel(channelCount: channelCount, capacity: capacity, fadeFrames: fadeFrames))
  }

  deinit {
    unsafe kernel.deinitialize(count: 1).deallocate()
  }
}
