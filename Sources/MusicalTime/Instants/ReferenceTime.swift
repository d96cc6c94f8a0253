// SPDX-License-Identifier: Apache-2.0

/// An instant in the time of a sound output, in nanoseconds.
///
/// Event sources give each event a reference time. All windows of work are ranges of reference
/// time.
///
/// For an output that renders, reference time counts frames: frame 0 is at 0, and at 48 000 Hz
/// frame 1 begins at 20 833⅓ ns. It therefore stops while the device is stopped, and offline
/// rendering uses it in the same way. Without an output, reference time equals host time. A
/// `TimeBase` converts reference time to host time.
public struct ReferenceTime: Instant {
  /// Nanoseconds from frame 0 of the output.
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
  /// Returns the reference time at which a frame begins, rounded up to a nanosecond.
  ///
  /// At 48 000 Hz frame 1 begins at 20 833⅓ ns, which is rounded up to 20 834. The result is
  /// limited to the range of 64 bits.
  @inlinable
  public func timeRoundedUp(of time: SampleTime) -> ReferenceTime {
    let product = Int128(time.frames) * 1_000_000_000
    let rate = Int128(hertz)
    let quotient = product / rate
    let up = product > 0 && product % rate != 0
    return ReferenceTime(nanoseconds: Int64(clamping: quotient + (up ? 1 : 0)))
  }

  /// Returns the last frame that begins at or before an instant.
  ///
  /// The result is limited to the range of 64 bits.
  @inlinable
  public func frame(at time: ReferenceTime) -> SampleTime {
    frame(Int128(time.nanoseconds) * Int128(hertz))
  }

  /// Returns the frame whose start is nearest to an instant; the later one if two are equally near.
  ///
  /// The result is limited to the range of 64 bits.
  @inlinable
  public func nearestFrame(to time: ReferenceTime) -> SampleTime {
    frame(Int128(time.nanoseconds) * Int128(hertz) + 500_000_000)
  }

  /// A frame from a product in billionths of a frame, rounded down.
  @inlinable
  func frame(_ product: Int128) -> SampleTime {
    let quotient = product / 1_000_000_000
    let down = product < 0 && product % 1_000_000_000 != 0
    return SampleTime(frames: Int64(clamping: quotient - (down ? 1 : 0)))
  }
}
