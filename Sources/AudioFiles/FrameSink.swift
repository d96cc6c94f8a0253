// SPDX-License-Identifier: Apache-2.0

/// Receives a file's frames from a writer.
protocol FrameSink: AnyObject {
  /// Writes single-precision frames; returns the number written.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int
  /// Writes double-precision frames; returns the number written.
  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int
  /// Writes integer frames, of which the file stores the upper bits; returns the number written.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int
  /// Writes the remaining output and closes the file; returns false if the codec fails.
  func close() -> Bool
  /// The reason of the last failure.
  var reason: String { get }
}
