// SPDX-License-Identifier: Apache-2.0

/// The last frames of a bus, for alignments that delay it.
///
/// Its address does not change during its life. Two programs share it during a transition, so sound
/// is not lost between them.
@safe
final class SoundHistory {
  /// The longest possible delay, in frames.
  let longest: Int
  let kernel: UnsafeMutablePointer<HistoryKernel>

  /// Creates a silent history.
  ///
  /// - Parameters:
  ///   - channelCount: the channels of the bus.
  ///   - longest: the longest delay that is needed, in frames.
  ///   - fadeFrames: the frames in which the sound fades in; 0 if the history begins with the bus.
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
