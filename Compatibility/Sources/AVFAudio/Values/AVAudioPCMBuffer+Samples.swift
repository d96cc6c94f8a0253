// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio

extension AVAudioPCMBuffer {
  /// Stores interleaved samples of the type of the format.
  ///
  /// - Precondition: the samples are whole frames, and fit the capacity.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - frame: The first frame that is stored.
  func store<Sample: BitwiseCopyable>(_ samples: [Sample], at frame: Int) {
    let channels = Int(format.channelCount)
    let count = samples.count / channels
    precondition(frame + count <= Int(frameCapacity), "samples beyond the capacity of a buffer")
    unsafe samples.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      guard format.asbd.isPlanar, channels > 1 else {
        guard let target = unsafe memory.data(0)?.assumingMemoryBound(to: Sample.self) else {
          return
        }
        unsafe (target + frame * channels).update(from: base, count: count * channels)
        return
      }
      for channel in 0..<channels {
        guard let target = unsafe memory.data(channel)?.assumingMemoryBound(to: Sample.self) else {
          continue
        }
        for index in 0..<count {
          unsafe target[frame + index] = base[index * channels + channel]
        }
      }
    }
  }

  /// Returns interleaved samples of the type of the format.
  ///
  /// - Parameters:
  ///   - type: The type of the format.
  ///   - frames: The frames, within the capacity.
  /// - Returns: The samples.
  func interleaved<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ type: Sample.Type, _ frames: Range<Int>
  ) -> [Sample] {
    precondition(frames.upperBound <= Int(frameCapacity), "frames beyond the capacity of a buffer")
    let channels = Int(format.channelCount)
    let isPlanar = format.asbd.isPlanar
    return unsafe [Sample](unsafeUninitializedCapacity: frames.count * channels) { target, count in
      for channel in 0..<(isPlanar ? channels : 1) {
        guard let source = unsafe memory.data(channel)?.assumingMemoryBound(to: Sample.self)
        else { continue }
        if isPlanar {
          for (index, frame) in frames.enumerated() {
            unsafe target.initializeElement(
              at: index * channels + channel, to: source[frame])
          }
        } else {
          for index in 0..<frames.count * channels {
            unsafe target.initializeElement(
              at: index, to: source[frames.lowerBound * channels + index])
          }
        }
      }
      count = unsafe memory.data(0) == nil ? 0 : frames.count * channels
    }
  }
}
