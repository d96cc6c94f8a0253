// SPDX-License-Identifier: Apache-2.0

/// An instant in the time by which an output runs, in nanoseconds: what windows are cut in, and
/// what events carry from their source to their sink.
///
/// Of an output that renders it is the time of its frames: frame 0 is 0, and at 48 000 Hz frame 1
/// begins at 20 833⅓. It stands still while the device does, and offline it is as exact. Without an
/// output it is the host's own. A `TimeBase` says where it lies on the host's clock.
public struct ReferenceTime: Instant {
  /// Nanoseconds from the output's frame 0.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }
}

/// A half-open range of reference time: the unit of work of every event source.
public typealias ReferenceWindow = Range<ReferenceTime>

extension SampleRate {
  /// The reference time at which a frame begins.
  ///
  /// At 48 000 Hz frame 1 begins at 20 833⅓ ns: 20 834 rounded up. Saturates at the ends of
  /// `ReferenceTime`.
  @inlinable
  public func timeRoundedUp(of time: SampleTime) -> ReferenceTime {
    let product = Int128(time.frames) * 1_000_000_000
    let rate = Int128(hertz)
    let quotient = product / rate
    let up = product > 0 && product % rate != 0
    return ReferenceTime(nanoseconds: Int64(clamping: quotient + (up ? 1 : 0)))
  }

  /// The frame that is under way at an instant: the last one that begins at or before it.
  ///
  /// Saturates at the ends of 64 bits.
  @inlinable
  public func frame(at time: ReferenceTime) -> SampleTime {
    frame(Int128(time.nanoseconds) * Int128(hertz))
  }

  /// The frame whose beginning is nearest to an instant; of two as near the later one.
  ///
  /// Saturates at the ends of 64 bits.
  @inlinable
  public func nearestFrame(to time: ReferenceTime) -> SampleTime {
    frame(Int128(time.nanoseconds) * Int128(hertz) + 500_000_000)
  }

  /// So many billionths of a frame, rounded down.
  @inlinable
  func frame(_ product: Int128) -> SampleTime {
    let quotient = product / 1_000_000_000
    let down = product < 0 && product % 1_000_000_000 != 0
    return SampleTime(frames: Int64(clamping: quotient - (down ? 1 : 0)))
  }
}
