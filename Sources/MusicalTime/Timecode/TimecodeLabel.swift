// SPDX-License-Identifier: Apache-2.0

/// The fields of an SMPTE time code, as on a display.
///
/// A label only has a meaning at a frame rate: `FrameRate.frame(of:)` and
/// `FrameRate.label(ofFrameInDay:)` convert between labels and frames.
public struct TimecodeLabel: Hashable, BitwiseCopyable, Sendable {
  /// True if the label is before 00:00:00:00; the sign applies to the whole label.
  public var isNegative: Bool
  /// Whole days of labels; 0 unless the policy is `DayPolicy.days`.
  public var days: Int64
  /// Hours, 0…23.
  public var hours: UInt8
  /// Minutes, 0…59.
  public var minutes: UInt8
  /// Seconds, 0…59.
  public var seconds: UInt8
  /// Frames, from 0 to below the nominal frames per second.
  public var frames: UInt8
  /// Subframes, from 0 to below the subframe base.
  public var subframes: UInt16

  /// Creates a label, which is not checked until it is used with a rate.
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

/// The representation of a position outside of one day, which begins at 00:00:00:00.
public enum DayPolicy: String, Hashable, Sendable, CaseIterable {
  /// Modulo 24 hours: one frame before 00:00:00:00 is the last frame of the day.
  case wrap = "24h"
  /// A sign and a number of days before the time code.
  case days
  /// Limited to the first or last frame of the day.
  case clamp
  /// A sign, and an error for 24 hours or more.
  case signed = "none"
}
