// SPDX-License-Identifier: Apache-2.0

/// A position in a stream, counted from its start.
public enum StreamTime: Hashable, Sendable {
  /// Seconds from the start.
  case seconds(Double)
  /// Frames from the start, at the rate of the stream.
  case frames(Int64)

  /// The position in seconds, clamped to 0…10⁶.
  ///
  /// - Parameter hertz: The rate of the stream, in frames per second.
  /// - Returns: The position in seconds; NaN and infinity are 0.
  func seconds(at hertz: Int) -> Double {
    switch self {
    case .seconds(let seconds): seconds.isFinite ? min(max(0, seconds), 1e6) : 0
    case .frames(let frames): min(max(0, Double(frames) / Double(max(1, hertz))), 1e6)
    }
  }
}
