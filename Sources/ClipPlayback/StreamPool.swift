// SPDX-License-Identifier: Apache-2.0

/// Memory for chunks of two channels, which a disk thread fills and a render thread empties.
///
/// A chunk belongs to one of the threads at a time; the rings transfer it.
@safe
final class StreamPool: @unchecked Sendable {
  private let samples: UnsafeMutablePointer<Float>

  init() {
    let count = StreamChunk.count * 2 * StreamChunk.frames
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// The samples of a channel of a chunk.
  func channel(_ channel: Int, of index: Int32) -> UnsafeMutablePointer<Float> {
    unsafe base(of: index) + channel * StreamChunk.frames
  }

  /// The samples of a chunk, the right channel after the left.
  func base(of index: Int32) -> UnsafeMutablePointer<Float> {
    unsafe samples + Int(index) * 2 * StreamChunk.frames
  }

  /// The samples of all chunks, for a kernel to keep.
  var start: UnsafePointer<Float> { unsafe UnsafePointer(samples) }
}
