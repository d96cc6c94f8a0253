// SPDX-License-Identifier: Apache-2.0

/// A position in a stream of audio, in sample frames from its origin.
public struct SampleTime: Hashable, Comparable, BitwiseCopyable, Sendable,
  ExpressibleByIntegerLiteral
{
  /// Sample frames from the origin of the stream.
  public var frames: Int64

  /// Creates a position from a count of sample frames.
  @inlinable
  public init(frames: Int64) {
    self.frames = frames
  }

  /// Creates a position from a literal count of sample frames.
  @inlinable
  public init(integerLiteral value: Int64) {
    frames = value
  }

  /// The origin of the stream.
  @inlinable
  public static var zero: SampleTime { SampleTime(frames: 0) }

  /// The last position there is: for a limit that is never reached.
  @inlinable
  public static var max: SampleTime { SampleTime(frames: .max) }

  /// Whether a position comes before another.
  @inlinable
  public static func < (left: SampleTime, right: SampleTime) -> Bool {
    left.frames < right.frames
  }
}

/// A sample rate in whole frames a second, 1…4 000 000.
public struct SampleRate: Hashable, BitwiseCopyable, Sendable {
  /// Frames a second.
  public let hertz: UInt32

  /// The rate of studios and of video: 48 000 Hz.
  public static let hertz48000 = SampleRate(unchecked: 48_000)

  /// The rate of compact discs: 44 100 Hz.
  public static let hertz44100 = SampleRate(unchecked: 44_100)

  /// Twice the rate of studios: 96 000 Hz.
  public static let hertz96000 = SampleRate(unchecked: 96_000)

  private init(unchecked hertz: UInt32) {
    self.hertz = hertz
  }

  /// Creates a rate, or nil outside 1…4 000 000 Hz.
  @inlinable
  public init?(hertz: Int) {
    guard (1...4_000_000).contains(hertz) else { return nil }
    self.hertz = UInt32(hertz)
  }
}
