// SPDX-License-Identifier: Apache-2.0

/// A sound in memory: one or two planar channels of single precision.
///
/// - Note: It does not change after `init`, so every thread can read it.
@safe
final class ClipMemory: @unchecked Sendable {
  let frameCount: Int
  let channelCount: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Copies interleaved samples of one or two channels; NaN and infinity become 0.
  init(interleaved: [Float], channelCount: Int) {
    precondition((1...2).contains(channelCount), "a clip has 1 or 2 channels")
    self.channelCount = channelCount
    frameCount = interleaved.count / channelCount
    unsafe samples = .allocate(capacity: max(1, frameCount * channelCount))
    for frame in 0..<frameCount {
      for channel in 0..<channelCount {
        let sample = interleaved[frame * channelCount + channel]
        let place = unsafe samples + channel * frameCount + frame
        unsafe place.initialize(to: sample.isFinite ? sample : 0)
      }
    }
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// The left channel, or the only one.
  var left: UnsafePointer<Float> { unsafe UnsafePointer(samples) }

  /// The right channel, or the only one.
  var right: UnsafePointer<Float> {
    unsafe UnsafePointer(samples + (channelCount - 1) * frameCount)
  }

  /// The bytes of the samples.
  var byteCount: Int { frameCount * channelCount * MemoryLayout<Float>.stride }
}
