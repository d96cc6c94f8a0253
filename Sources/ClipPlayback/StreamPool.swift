// SPDX-License-Identifier: Apache-2.0

/// The memory that a disk thread fills and a render thread empties: chunks of two channels.
///
/// A chunk belongs to one of them at a time; the rings hand it over.
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

  /// Where the samples of a chunk's channel lie.
  func channel(_ channel: Int, of index: Int32) -> UnsafeMutablePointer<Float> {
    unsafe base(of: index) + channel * StreamChunk.frames
  }

  /// Where the samples of a chunk lie, the right channel after the left.
  func base(of index: Int32) -> UnsafeMutablePointer<Float> {
    unsafe samples + Int(index) * 2 * StreamChunk.frames
  }

  /// Where all of them lie, for a kernel to keep.
  var start: UnsafePointer<Float> { unsafe UnsafePointer(samples) }
}
