// SPDX-License-Identifier: Apache-2.0

/// What a writer gives a file's frames to.
protocol FrameSink: AnyObject {
  /// Writes frames of single precision; returns how many went out.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int
  /// Writes frames of double precision; returns how many went out.
  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int
  /// Writes frames of integers, of which the file keeps the upper bits; returns how many went out.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int
  /// Writes what is still held back; returns false where the codec failed.
  func close() -> Bool
  /// What went wrong last.
  var reason: String { get }
}
