// SPDX-License-Identifier: Apache-2.0

/// The sound of each channel, late by the frames that a unit looks ahead.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct LookAhead: BitwiseCopyable {
  private let lines: UnsafeMutablePointer<DelayLine>
  private let channelCount: Int
  private let isLate: Bool

  /// Makes silent lines, which the owner deallocates; with 0 frames the sound is not late.
  init(frames: Int, channelCount: Int) {
    self.channelCount = channelCount
    isLate = frames > 0
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: frames, delay: frames))
    }
  }

  func deallocate() {
    for channel in 0..<channelCount { unsafe lines[channel].deallocate() }
    unsafe lines.deallocate()
  }

  /// Takes a channel's next sample and returns the one that is due.
  @inline(__always) @_noAllocation @_noLocks
  func delayed(_ sample: Float, _ channel: Int) -> Float {
    guard isLate else { return sample }
    let result = unsafe lines[channel].read()
    unsafe lines[channel].write(sample)
    return result
  }
}
