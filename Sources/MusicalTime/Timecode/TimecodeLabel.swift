// SPDX-License-Identifier: Apache-2.0

/// The fields of an SMPTE label: what people read off a timecode display.
///
/// A label means something only at a rate: `FrameRate.frame(of:)` and `FrameRate.label(ofFrame:)`
/// go between labels and frames. The sign is the whole label's, never one field's.
public struct TimecodeLabel: Hashable, BitwiseCopyable, Sendable {
  /// Whether the whole label is before 00:00:00:00.
  public var isNegative: Bool
  /// Whole label days; 0 except where days are counted.
  public var days: Int64
  /// Hours, 0…23.
  public var hours: UInt8
  /// Minutes, 0…59.
  public var minutes: UInt8
  /// Seconds, 0…59.
  public var seconds: UInt8
  /// Frames, 0..<the rate's nominal frames a second.
  public var frames: UInt8
  /// Subframes, 0..<the base.
  public var subframes: UInt16

  /// Creates a label; its range is checked where it meets a rate.
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

/// What becomes of a position outside one label day, which begins at 00:00:00:00.
public enum DayPolicy: String, Hashable, Sendable, CaseIterable {
  /// Modulo a label day: one frame before midnight is the last label.
  case wrap = "24h"
  /// A sign and a count of days before the label.
  case days
  /// The first or the last label of the day.
  case clamp
  /// A sign, and an error past 24 hours of labels.
  case signed = "none"
}
