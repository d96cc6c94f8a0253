// SPDX-License-Identifier: Apache-2.0

/// A time in MIDI time code: one of four frame rates, and hours, minutes, seconds and whole frames.
///
/// Source: MIDI Time Code (RP-004/RP-008).
public struct MTCTime: Hashable, BitwiseCopyable, Sendable {
  /// The code of the frame rate.
  public let code: MTCCode
  /// The hours, 0…23.
  public let hours: UInt8
  /// The minutes, 0…59.
  public let minutes: UInt8
  /// The seconds, 0…59.
  public let seconds: UInt8
  /// The frame number, 0 or more, and below the nominal frames per second.
  public let frames: UInt8

  /// Creates a time from the fields of a message.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` if a field is out of range; `TimeError.droppedLabel` if
  ///   drop-frame counting skips the time.
  public init(
    code: MTCCode, hours: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8
  ) throws(TimeError) {
    self.code = code
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    try rate.validate(label)
  }

  /// The nominal frame rate of the code: 24, 25, 29.97 drop-frame or 30.
  public var rate: FrameRate { FrameRate(mtcCode: code) }

  /// The fields as a time code label.
  public var label: TimecodeLabel {
    TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames)
  }

  /// Converts a position to MIDI time code.
  ///
  /// At rates above 30 frames per second, the frame number is divided, because MIDI time code does
  /// not support them: 00:01:00;04 at 59.94 drop-frame becomes 00:01:00;02. The remainder of the
  /// division is the residue.
  ///
  /// - Parameters:
  ///   - timecode: The position; a position outside of one day is taken modulo 24 hours.
  ///   - rounding: `exact` throws an error for a remainder. Any other rounding acts as `floor`,
  ///     because MIDI time code contains the current frame.
  /// - Returns: The time, with the residue in frames of MIDI time code.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the division has a remainder.
  public static func at(
    _ timecode: Timecode, rounding: Rounding
  ) throws(TimeError) -> Converted<MTCTime> {
    let label = try timecode.label(.wrap)
    let divisor = timecode.rate.mtcFrameDivisor
    let (frame, rest) = Int64(label.frames).quotientAndRemainder(dividingBy: divisor)
    let base = Int64(timecode.subframeBase)
    let lost = rest * base + Int64(label.subframes)
    guard lost == 0 || rounding != .exact else { throw .inexact(unit: "MTC frames") }
    let time = try MTCTime(
      code: timecode.rate.mtcCode, hours: label.hours, minutes: label.minutes,
      seconds: label.seconds, frames: UInt8(frame))
    return Converted(time, remainder: Int128(lost), divisor: Int128(divisor * base))
  }
}
