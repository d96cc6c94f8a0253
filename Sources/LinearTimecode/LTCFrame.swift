// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What one frame of linear timecode says: a label, 32 bits of the user's, and flags.
///
/// On the wire it is 80 bits: 64 of these fields, and 16 that say where it ends. `LTCBits` goes
/// between the two.
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
  /// Whether labels are dropped.
  public var isDrop: Bool
  /// Whether frames are locked to the fields of a colour signal; false by default.
  public var isColorLocked = false
  /// Eight groups of four bits that mean what their user agrees on, the first in the lowest; 0 by default.
  public var userBits: UInt32 = 0
  /// What the user's bits are: flag 0 in bit 0, the clock's flag in bit 1, flag 2 in bit 2; 0…7.
  ///
  /// 0 says nothing, 1 characters of eight bits, 4 a date and time zone; with bit 1 the label is
  /// the time of day. Higher bits are not sent; 0 by default.
  public var binaryGroupFlags: UInt8 = 0

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - label: The label; its sign, days and subframes are not carried.
  ///   - isDrop: Whether labels are dropped.
  ///   - userBits: The user's bits.
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
  /// The label as text, `;` before its frames where labels are dropped.
  public var description: String {
    (isDrop ? FrameRate.fps2997Drop : .fps30).text(of: label)
  }
}
