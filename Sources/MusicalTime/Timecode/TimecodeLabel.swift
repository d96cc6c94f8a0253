// SPDX-License-Identifier: Apache-2.0

/// The fields of an SMPTE time code, as on a display.
///
/// A label is only meaningful together with a frame rate: `FrameRate.frame(of:)` and
/// `FrameRate.label(ofFrameInDay:)` convert between labels and frames.
public struct TimecodeLabel: Hashable, BitwiseCopyable, Sendable {
  /// True if the label is before 00:00:00:00; the sign applies to the whole label.
  public var isNegative: Bool
  /// The number of whole days; 0 unless the label was created with `DayPolicy.days`.
  public var days: Int64
  /// The hours, 0…23.
  public var hours: UInt8
  /// The minutes, 0…59.
  public var minutes: UInt8
  /// The seconds, 0…59.
  public var seconds: UInt8
  /// The frame number, 0 or more, and below the nominal frames per second.
  public var frames: UInt8
  /// The subframe number, 0 or more, and below the number of subframes per frame.
  public var subframes: UInt16

  /// Creates a label from its fields, which are checked when it is used with a frame rate.
  @inlinable
  public init(
    days: Int64 = 0, hours: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8,
    subframes: UInt16 = 0, isNegative: Bool = false
  ) {
    self.isNegative = isNegative
    self.days = days
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    self.subframes = subframes
  }
}

/// The form of a time code that is outside of one day, which begins at 00:00:00:00.
public enum DayPolicy: String, Hashable, Sendable, CaseIterable {
  /// The time code is taken modulo 24 hours: one frame before 00:00:00:00 is the last frame of the
  /// day.
  case wrap = "24h"
  /// A sign and a number of days are added before the time code.
  case days
  /// The time code is limited to the first or last frame of the day.
  case clamp
  /// A sign is added to a negative time code; 24 hours or more are an error.
  case signed = "none"
}
