// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The contents of a frame of linear time code: a label, 32 user bits, and flags.
///
/// It is sent as 80 bits: 64 for these fields, and 16 that mark its end. `LTCBits` converts between
/// the two.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCFrame: Hashable, BitwiseCopyable, Sendable {
  /// Hours, 0…23.
  public var hours: UInt8
  /// Minutes, 0…59.
  public var minutes: UInt8
  /// Seconds, 0…59.
  public var seconds: UInt8
  /// Frames, 0…29.
  public var frames: UInt8
  /// True if labels are drop-frame.
  public var isDrop: Bool
  /// True if frames are locked to the fields of a colour signal; false by default.
  public var isColorLocked = false
  /// Eight groups of four bits with a meaning chosen by the user, the first in the lowest bits; 0
  /// by default.
  public var userBits: UInt32 = 0
  /// The binary group flags, 0…7: flag 0 in bit 0, the clock flag in bit 1, flag 2 in bit 2.
  ///
  /// 0 does not define the user bits, 1 is eight-bit characters, and 4 is a date and time zone.
  /// With bit 1 the label is the time of day. Higher bits are not sent; 0 by default.
  public var binaryGroupFlags: UInt8 = 0

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - label: The label; its sign, days and subframes are ignored.
  ///   - isDrop: True if labels are drop-frame; false by default.
  ///   - userBits: The user bits; 0 by default.
  public init(label: TimecodeLabel, isDrop: Bool = false, userBits: UInt32 = 0) {
    hours = label.hours
    minutes = label.minutes
    seconds = label.seconds
    frames = label.frames
    self.isDrop = isDrop
    self.userBits = userBits
  }

  /// The label.
  public var label: TimecodeLabel {
    TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames)
  }
}

extension LTCFrame: CustomStringConvertible {
  /// The label as text, with `;` before the frames if it is drop-frame.
  public var description: String {
    (isDrop ? FrameRate.fps2997Drop : .fps30).text(of: label)
  }
}
