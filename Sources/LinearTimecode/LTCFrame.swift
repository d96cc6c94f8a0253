// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The contents of a frame of linear time code: a label, 32 user bits, and flags.
///
/// A frame is sent as 80 bits: 64 for these fields, and 16 that mark the end of the frame.
/// `LTCBits` converts between fields and bits.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCFrame: Hashable, BitwiseCopyable, Sendable {
  /// The hours, 0…23.
  public var hours: UInt8
  /// The minutes, 0…59.
  public var minutes: UInt8
  /// The seconds, 0…59.
  public var seconds: UInt8
  /// The frame number, 0…29.
  public var frames: UInt8
  /// True if the label is counted with drop-frame.
  public var isDrop: Bool
  /// True if the frames are locked to the colour fields of a video signal; false by default.
  public var isColorLocked = false
  /// The user bits: eight groups of four bits whose meaning the user chooses, with the first group
  /// in the lowest bits; 0 by default.
  public var userBits: UInt32 = 0
  /// The binary group flags, 0…7, which describe the user bits; 0 by default.
  ///
  /// Bit 0 is flag 0, bit 1 the clock flag, and bit 2 flag 2. With the value 0, the meaning of the
  /// user bits is not defined; with 1, they are eight-bit characters; with 4, a date and time zone.
  /// If bit 1 is set, the label is the time of day. Higher bits are not sent.
  public var binaryGroupFlags: UInt8 = 0

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - label: The label; its sign, days and subframes are ignored.
  ///   - isDrop: True if the label is counted with drop-frame; false by default.
  ///   - userBits: The user bits; 0 by default.
  public init(label: TimecodeLabel, isDrop: Bool = false, userBits: UInt32 = 0) {
    hours = label.hours
    minutes = label.minutes
    seconds = label.seconds
    frames = label.frames
    self.isDrop = isDrop
    self.userBits = userBits
  }

  /// The label of the frame: hours, minutes, seconds and frames.
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
