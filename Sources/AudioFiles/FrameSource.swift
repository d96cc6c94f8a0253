// SPDX-License-Identifier: Apache-2.0

/// What a reader gets a file's frames from.
protocol FrameSource: AnyObject {
  /// Reads frames of a type, interleaved; returns how many there were, fewer at the end only.
  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int
  /// Goes to a frame; returns false where the file does not let itself, or ends before.
  func seek(to frame: Int64) -> Bool
  /// The bits of the file's integers; nil where its samples are none.
  var integerBits: Int? { get }
}
