// SPDX-License-Identifier: Apache-2.0

/// An SMPTE frame rate: how fast frames pass, and how their labels count.
///
/// There are 23, from 23.976 to 120 drop. The true rate is a whole number of frames a second or
/// that number times 1000/1001; labels count in the whole number. A drop rate skips
/// `nominal / 15` labels (never frames) at the start of every minute that ten does not divide,
/// so that labels of the 1001 rates stay near the wall clock.
///
/// Source: SMPTE ST 12-1 and ST 12-3 (rates above 30).
public struct FrameRate: Hashable, BitwiseCopyable, Sendable {
  /// Frames in a label's second, 24…120.
  public let nominal: UInt8
  /// Whether the true rate is the nominal one times 1000/1001.
  public let isSlowed: Bool
  /// Whether labels are dropped.
  public let isDrop: Bool

  @inlinable
  init(_ nominal: UInt8, slowed: Bool = false, drop: Bool = false) {
    self.nominal = nominal
    self.isSlowed = slowed
    self.isDrop = drop
  }

  /// The exact frames a second: `nominal`, or `nominal · 1000 / 1001`.
  ///
  /// At 29.97 it is 30000/1001, never 29.97.
  public var framesPerSecond: Ratio { Ratio(fpsNumerator, over: fpsDenominator) }

  /// The numerator of the frames a second.
  @inlinable
  public var fpsNumerator: Int64 { isSlowed ? Int64(nominal) * 1000 : Int64(nominal) }

  /// The denominator of the frames a second, 1 or 1001.
  @inlinable
  public var fpsDenominator: Int64 { isSlowed ? 1001 : 1 }

  /// Labels dropped at the start of a minute that drops them: 0, 2, 4 or 8.
  @inlinable
  public var droppedLabels: Int64 { isDrop ? Int64(nominal) / 15 : 0 }

  /// Frames in ten minutes of labels, after which the pattern of dropped labels repeats.
  @inlinable
  public var framesPerTenMinutes: Int64 { 600 * Int64(nominal) - 9 * droppedLabels }

  /// Frames in 24 hours of labels.
  ///
  /// At 29.97 drop it is 2 589 408, 86 399.9136 s: a label day is not a wall-clock day.
  @inlinable
  public var framesPerDay: Int64 { 144 * framesPerTenMinutes }

  /// Digits of the frames field: 3 above 100 frames a second, otherwise 2.
  @inlinable
  public var frameDigits: Int { nominal > 100 ? 3 : 2 }
}

extension FrameRate {
  /// The rate 24000/1001.
  public static var fps23976: FrameRate { FrameRate(24, slowed: true) }
  /// The rate 24.
  public static var fps24: FrameRate { FrameRate(24) }
  /// The rate 25000/1001.
  public static var fps2498: FrameRate { FrameRate(25, slowed: true) }
  /// The rate 25.
  public static var fps25: FrameRate { FrameRate(25) }
  /// The rate 30000/1001, no labels dropped.
  public static var fps2997: FrameRate { FrameRate(30, slowed: true) }
  /// The rate 30000/1001, two labels a minute dropped: what MTC and SMF call 30 drop.
  public static var fps2997Drop: FrameRate { FrameRate(30, slowed: true, drop: true) }
  /// The rate 30.
  public static var fps30: FrameRate { FrameRate(30) }
  /// The rate 30 with two labels a minute dropped; its labels lose 3.6 s an hour.
  public static var fps30Drop: FrameRate { FrameRate(30, drop: true) }
  /// The rate 48000/1001.
  public static var fps47952: FrameRate { FrameRate(48, slowed: true) }
  /// The rate 48.
  public static var fps48: FrameRate { FrameRate(48) }
  /// The rate 50.
  public static var fps50: FrameRate { FrameRate(50) }
  /// The rate 60000/1001, no labels dropped.
  public static var fps5994: FrameRate { FrameRate(60, slowed: true) }
  /// The rate 60000/1001, four labels a minute dropped.
  public static var fps5994Drop: FrameRate { FrameRate(60, slowed: true, drop: true) }
  /// The rate 60.
  public static var fps60: FrameRate { FrameRate(60) }
  /// The rate 60 with four labels a minute dropped.
  public static var fps60Drop: FrameRate { FrameRate(60, drop: true) }
  /// The rate 90.
  public static var fps90: FrameRate { FrameRate(90) }
  /// The rate 96000/1001.
  public static var fps95904: FrameRate { FrameRate(96, slowed: true) }
  /// The rate 96.
  public static var fps96: FrameRate { FrameRate(96) }
  /// The rate 100.
  public static var fps100: FrameRate { FrameRate(100) }
  /// The rate 120000/1001, no labels dropped.
  public static var fps11988: FrameRate { FrameRate(120, slowed: true) }
  /// The rate 120000/1001, eight labels a minute dropped.
  public static var fps11988Drop: FrameRate { FrameRate(120, slowed: true, drop: true) }
  /// The rate 120.
  public static var fps120: FrameRate { FrameRate(120) }
  /// The rate 120 with eight labels a minute dropped.
  public static var fps120Drop: FrameRate { FrameRate(120, drop: true) }
}
