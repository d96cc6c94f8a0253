// SPDX-License-Identifier: Apache-2.0

/// The delay of each channel by the look-ahead of a unit.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct LookAhead: BitwiseCopyable {
  private let lines: UnsafeMutablePointer<DelayLine>
  private let channelCount: Int
  private let isLate: Bool

  /// Creates silent lines, which the owner deallocates.
  ///
  /// With 0 frames the sound is not delayed.
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

  /// Stores the next sample of a channel and returns the delayed one.
  @inline(__always) @_noAllocation @_noLocks
  func delayed(_ sample: Float, _ channel: Int) -> Float {
    guard isLate else { return sample }
    let result = unsafe lines[channel].read()
    unsafe lines[channel].write(sample)
    return result
  }
}
