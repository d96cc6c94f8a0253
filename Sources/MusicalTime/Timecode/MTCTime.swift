// SPDX-License-Identifier: Apache-2.0

/// A label as MIDI Time Code carries it: one of four rates, whole frames.
///
/// Source: MIDI Time Code (RP-004/RP-008).
public struct MTCTime: Hashable, BitwiseCopyable, Sendable {
  /// How the labels count.
  public let code: MTCCode
  /// Hours, 0…23.
  public let hours: UInt8
  /// Minutes, 0…59.
  public let minutes: UInt8
  /// Seconds, 0…59.
  public let seconds: UInt8
  /// Frames, below the rate's frames a second.
  public let frames: UInt8

  /// Creates a time from the fields of a message.
  ///
  /// - Throws: `TimeError.fieldOutOfRange`, `TimeError.droppedLabel`.
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

  /// The rate that the code means: 24, 25, 29.97 drop or 30.
  public var rate: FrameRate { FrameRate(mtcCode: code) }

  /// The label.
  public var label: TimecodeLabel {
    TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames)
  }

  /// The time that carries a position's label.
  ///
  /// Above 30 frames a second the frames field is divided, so 00:01:00;04 at 59.94 drop goes out
  /// as 00:01:00;02; what is left is the residue, in frames of the answer.
  ///
  /// - Parameters:
  ///   - timecode: The position; positions outside a label day wrap.
  ///   - rounding: `floor`, or `exact` to refuse a frame or subframe that the label loses. The
  ///     wire carries the frame that is running: `ceil` and `nearest` count as `floor`.
  /// - Returns: The time, and the residue in its frames.
  /// - Throws: `TimeError.inexact`.
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
