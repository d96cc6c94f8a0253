// SPDX-License-Identifier: Apache-2.0

/// The oversamplers of a bus, one for each channel, and the dry sound with the same delay.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct OversampledBus: BitwiseCopyable {
  private let channelCount: Int
  private let oversamplers: UnsafeMutablePointer<Oversampler>
  private let lines: UnsafeMutablePointer<DelayLine>

  /// Creates silent oversamplers for a bus of one or more channels.
  ///
  /// The owner deallocates them.
  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe oversamplers = .allocate(capacity: channelCount)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (oversamplers + channel).initialize(to: Oversampler())
      unsafe (lines + channel).initialize(
        to: DelayLine(longest: Oversampler.delay, delay: Oversampler.delay))
    }
  }

  func deallocate() {
    for channel in 0..<channelCount {
      unsafe oversamplers[channel].deallocate()
      unsafe lines[channel].deallocate()
    }
    unsafe oversamplers.deallocate()
    unsafe lines.deallocate()
  }

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  func clear() {
    for channel in 0..<channelCount {
      unsafe oversamplers[channel].clear()
      unsafe lines[channel].clear()
    }
  }

  /// The oversampler of a channel.
  @inline(__always) @_noAllocation @_noLocks
  func oversampler(_ channel: Int) -> Oversampler { unsafe oversamplers[channel] }

  /// Stores a dry sample of a channel, and returns the sample of 32 frames earlier.
  @inline(__always) @_noAllocation @_noLocks
  func delayed(_ sample: Float, _ channel: Int) -> Float {
    let dry = unsafe lines[channel].read()
    unsafe lines[channel].write(sample)
    return dry
  }
}
