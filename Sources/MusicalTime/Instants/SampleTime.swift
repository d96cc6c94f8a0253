// SPDX-License-Identifier: Apache-2.0

/// A position in a stream of audio, in sample frames from its origin.
public struct SampleTime: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Sample frames from the origin of the stream.
  public var frames: Int64

  /// Creates a position from a count of sample frames.
  @inlinable
  public init(frames: Int64) {
    self.frames = frames
  }

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

  private init(unchecked hertz: UInt32) {
    self.hertz = hertz
  }

  /// Creates a rate, or nil outside 1…4 000 000 Hz.
  @inlinable
  public init?(hertz: Int) {
    guard (1...4_000_000).contains(hertz) else { return nil }
    self.hertz = UInt32(hertz)
  }

  /// The host time at which a frame begins, counted from the stream's origin.
  ///
  /// At 48 000 Hz frame 1 begins at 20 833⅓ ns: 20 834 rounded up. Saturates at the ends of
  /// `HostTime`.
  @inlinable
  public func hostTimeRoundedUp(of time: SampleTime) -> HostTime {
    let product = Int128(time.frames) * 1_000_000_000
    let rate = Int128(hertz)
    let quotient = product / rate
    let up = product > 0 && product % rate != 0
    return HostTime(nanoseconds: Int64(clamping: quotient + (up ? 1 : 0)))
  }

  /// The frame that is sounding at a host time: the last one that begins at or before it.
  ///
  /// Saturates at the ends of 64 bits.
  @inlinable
  public func frame(at time: HostTime) -> SampleTime {
    let product = Int128(time.nanoseconds) * Int128(hertz)
    let quotient = product / 1_000_000_000
    let down = product < 0 && product % 1_000_000_000 != 0
    return SampleTime(frames: Int64(clamping: quotient - (down ? 1 : 0)))
  }
}
