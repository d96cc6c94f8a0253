// SPDX-License-Identifier: Apache-2.0

/// Frames of a segment, in the format of the engine.
@safe
final class PlayerChunk: @unchecked Sendable {
  // Unchecked: it does not change after the initializer.

  /// The number of its segment.
  let segment: Int64
  /// The first frame in the segment, in frames of the engine.
  let start: Int
  let frameCount: Int
  /// True if it ends the segment.
  let isLast: Bool
  /// Interleaved samples.
  let samples: UnsafePointer<Float>

  init(segment: Int64, start: Int, samples: [Float], channelCount: Int, isLast: Bool) {
    (self.segment, self.start, self.isLast) = (segment, start, isLast)
    frameCount = samples.count / channelCount
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, samples.count))
    for (index, sample) in samples.enumerated() { unsafe (memory + index).initialize(to: sample) }
    unsafe self.samples = UnsafePointer(memory)
  }

  deinit {
    unsafe samples.deallocate()
  }
}
