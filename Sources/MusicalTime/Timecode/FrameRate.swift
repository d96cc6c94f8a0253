// SPDX-License-Identifier: Apache-2.0

/// An SMPTE frame rate: the speed of frames and the way in which they are numbered.
///
/// There are 23 rates, from 23.976 to 120 drop-frame. The actual rate is a whole number of frames
/// per second, or that number times 1000/1001; frame numbers are always counted up to the whole
/// number. A drop-frame rate skips `nominal / 15` labels (never frames) at the start of each
/// minute, except for every tenth minute, so that time code at rates such as 30000/1001 stays near
/// clock time.
///
/// Source: SMPTE ST 12-1 and ST 12-3 (rates above 30).
public struct FrameRate: Hashable, BitwiseCopyable, Sendable {
  /// The number of frames in each second of time code, 24…120.
  public let nominal: UInt8
  /// True if the actual rate is `nominal` times 1000/1001.
  public let isSlowed: Bool
  /// True if the rate is drop-frame, so that labels are skipped.
  public let isDrop: Bool

  @inlinable
  init(_ nominal: UInt8, slowed: Bool = false, drop: Bool = false) {
    self.nominal = nominal
    self.isSlowed = slowed
    self.isDrop = drop
  }

  /// The exact number of frames per second: `nominal`, or `nominal · 1000 / 1001`.
  ///
  /// At 29.97 this is 30000/1001.
  public var framesPerSecond: Ratio { Ratio(fpsNumerator, over: fpsDenominator) }

  /// The numerator of the exact frames per second.
  @inlinable
  public var fpsNumerator: Int64 { isSlowed ? Int64(nominal) * 1000 : Int64(nominal) }

  /// The denominator of the exact frames per second, 1 or 1001.
  @inlinable
  public var fpsDenominator: Int64 { isSlowed ? 1001 : 1 }

  /// The number of labels that are skipped at the start of each minute, except for every tenth: 0,
  /// 2, 4 or 8.
  @inlinable
  public var droppedLabels: Int64 { isDrop ? Int64(nominal) / 15 : 0 }

  /// The number of frames in ten minutes of time code, after which the pattern of skipped labels
  /// repeats.
  @inlinable
  public var framesPerTenMinutes: Int64 { 600 * Int64(nominal) - 9 * droppedLabels }

  /// The number of frames in 24 hours of time code.
  ///
  /// At 29.97 drop-frame these are 2 589 408 frames, which last 86 399.9136 s, slightly less than a
  /// day.
  @inlinable
  public var framesPerDay: Int64 { 144 * framesPerTenMinutes }

  /// The number of digits of the frames in text: 3 above 100 frames per second, otherwise 2.
  @inlinable
  public var frameDigits: Int { nominal > 100 ? 3 : 2 }
}

extension FrameRate {
  /// 24000/1001 frames per second.
  public static var fps23976: FrameRate { FrameRate(24, slowed: true) }
  /// 24 frames per second.
  public static var fps24: FrameRate { FrameRate(24) }
  /// 25000/1001 frames per second.
  public static var fps2498: FrameRate { FrameRate(25, slowed: true) }
  /// 25 frames per second.
  public static var fps25: FrameRate { FrameRate(25) }
  /// 30000/1001 frames per second, without drop-frame.
  public static var fps2997: FrameRate { FrameRate(30, slowed: true) }
  /// 30000/1001 frames per second, drop-frame; two labels are skipped at a time.
  ///
  /// MIDI time code and MIDI files call this rate 30 drop-frame.
  public static var fps2997Drop: FrameRate { FrameRate(30, slowed: true, drop: true) }
  /// 30 frames per second.
  public static var fps30: FrameRate { FrameRate(30) }
  /// 30 frames per second, drop-frame; time code is then ahead of real time by 3.6 s per hour.
  public static var fps30Drop: FrameRate { FrameRate(30, drop: true) }
  /// 48000/1001 frames per second.
  public static var fps47952: FrameRate { FrameRate(48, slowed: true) }
  /// 48 frames per second.
  public static var fps48: FrameRate { FrameRate(48) }
  /// 50 frames per second.
  public static var fps50: FrameRate { FrameRate(50) }
  /// 60000/1001 frames per second, without drop-frame.
  public static var fps5994: FrameRate { FrameRate(60, slowed: true) }
  /// 60000/1001 frames per second, drop-frame; four labels are skipped at a time.
  public static var fps5994Drop: FrameRate { FrameRate(60, slowed: true, drop: true) }
  /// 60 frames per second.
  public static var fps60: FrameRate { FrameRate(60) }
  /// 60 frames per second, drop-frame; four labels are skipped at a time.
  public static var fps60Drop: FrameRate { FrameRate(60, drop: true) }
  /// 90 frames per second.
  public static var fps90: FrameRate { FrameRate(90) }
  /// 96000/1001 frames per second.
  public static var fps95904: FrameRate { FrameRate(96, slowed: true) }
  /// 96 frames per second.
  public static var fps96: FrameRate { FrameRate(96) }
  /// 100 frames per second.
  public static var fps100: FrameRate { FrameRate(100) }
  /// 120000/1001 frames per second, without drop-frame.
  public static var fps11988: FrameRate { FrameRate(120, slowed: true) }
  /// 120000/1001 frames per second, drop-frame; eight labels are skipped at a time.
  public static var fps11988Drop: FrameRate { FrameRate(120, slowed: true, drop: true) }
  /// 120 frames per second.
  public static var fps120: FrameRate { FrameRate(120) }
  /// 120 frames per second, drop-frame; eight labels are skipped at a time.
  public static var fps120Drop: FrameRate { FrameRate(120, drop: true) }
}
