// SPDX-License-Identifier: Apache-2.0

/// A position in an audio stream, in sample frames from its start.
public struct SampleTime: Hashable, Comparable, BitwiseCopyable, Sendable,
  ExpressibleByIntegerLiteral
{
  /// Sample frames from the start of the stream.
  public var frames: Int64

  /// Creates a position from a number of sample frames.
  @inlinable
  public init(frames: Int64) {
    self.frames = frames
  }

  /// Creates a position from a literal number of sample frames.
  @inlinable
  public init(integerLiteral value: Int64) {
    frames = value
  }

  /// The start of the stream.
  @inlinable
  public static var zero: SampleTime { SampleTime(frames: 0) }

  /// The largest position, for a limit that is never reached.
  @inlinable
  public static var max: SampleTime { SampleTime(frames: .max) }

  /// Returns true if the left position is before the right one.
  @inlinable
  public static func < (left: SampleTime, right: SampleTime) -> Bool {
    left.frames < right.frames
  }
}

/// A sample rate in whole frames per second, 1…4 000 000.
public struct SampleRate: Hashable, BitwiseCopyable, Sendable {
  /// The rate in frames per second.
  public let hertz: UInt32

  /// 48 000 Hz, the usual rate in studios and for video.
  public static let hertz48000 = SampleRate(unchecked: 48_000)

  /// 44 100 Hz, the rate of compact discs.
  public static let hertz44100 = SampleRate(unchecked: 44_100)

  /// 96 000 Hz, a common rate for high-resolution recordings.
  public static let hertz96000 = SampleRate(unchecked: 96_000)

  private init(unchecked hertz: UInt32) {
    self.hertz = hertz
  }

  /// Creates a rate, or returns nil if it is not 1…4 000 000 Hz.
  @inlinable
  public init?(hertz: Int) {
    guard (1...4_000_000).contains(hertz) else { return nil }
    self.hertz = UInt32(hertz)
  }
}
