// SPDX-License-Identifier: Apache-2.0

/// Provides a reader with a file's frames.
protocol FrameSource: AnyObject {
  /// Reads interleaved frames of a type; returns the number read, which is smaller only at the end.
  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int
  /// Seeks to a frame; returns false if the file cannot be sought in, or ends before it.
  func seek(to frame: Int64) -> Bool
  /// The bits of the file's integers; nil if its samples are not integers.
  var integerBits: Int? { get }
}
