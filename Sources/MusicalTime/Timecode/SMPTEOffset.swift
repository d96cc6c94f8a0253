// SPDX-License-Identifier: Apache-2.0

/// The time code at the start of a MIDI file, as in its SMPTE Offset event.
///
/// The event contains the rate as an `MTCCode`, and hundredths of a frame. They do not depend on
/// the division of the file. In practice, code 0 means 24 frames per second or an unknown rate.
///
/// Source: Standard MIDI Files 1.0 (RP-001), SMPTE Offset (`FF 54 05 hr mn se fr ff`).
public struct SMPTEOffset: Hashable, BitwiseCopyable, Sendable {
  /// The time code, without the fraction of a frame.
  public let time: MTCTime
  /// The fraction of a frame in hundredths, 0…99.
  public let hundredths: UInt8

  /// Creates an offset from the five data bytes of the event.
  ///
  /// - Throws: `TimeError.malformed` if the length is not 5; `TimeError.fieldOutOfRange` and
  ///   `TimeError.droppedLabel` for a time code that does not exist.
  public init(payload bytes: [UInt8]) throws(TimeError) {
    guard bytes.count == 5 else {
      throw .malformed(text: "SMPTE offset", offset: bytes.count, reason: "expected 5 bytes")
    }
    guard let code = MTCCode(rawValue: bytes[0] >> 5) else {
      throw .fieldOutOfRange(field: "hours byte", value: "\(bytes[0])", range: "0…127")
    }
    guard bytes[4] < 100 else {
      throw .fieldOutOfRange(field: "hundredths", value: "\(bytes[4])", range: "0…99")
    }
    time = try MTCTime(
      code: code, hours: bytes[0] & 0x1F, minutes: bytes[1], seconds: bytes[2],
      frames: bytes[3])
    hundredths = bytes[4]
  }

  private init(_ time: MTCTime, hundredths: UInt8) {
    self.time = time
    self.hundredths = hundredths
  }

  /// The five data bytes of the event.
  public var payload: [UInt8] {
    [time.hoursByte, time.minutes, time.seconds, time.frames, hundredths]
  }

  /// The offset as a position with 100 subframes per frame.
  public var timecode: Timecode {
    let seconds = Int64(time.hours) * 3600 + Int64(time.minutes) * 60 + Int64(time.seconds)
    let minutes = seconds / 60
    let frame =
      seconds * Int64(time.rate.nominal) + Int64(time.frames)
      - time.rate.droppedLabels * (minutes - minutes / 10)
    return Timecode(unchecked: frame * 100 + Int64(hundredths), 100, time.rate)
  }

  /// Converts a position to an SMPTE offset.
  ///
  /// At rates above 30 frames per second, the frame number is divided, and the remainder of the
  /// division is stored in the hundredths.
  ///
  /// - Parameters:
  ///   - timecode: The position; a position outside of one day is taken modulo 24 hours.
  ///   - rounding: The rounding to hundredths of a frame.
  /// - Returns: The offset, with the residue in hundredths of a frame.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number
  ///   of hundredths.
  public static func at(
    _ timecode: Timecode, rounding: Rounding
  ) throws(TimeError) -> Converted<SMPTEOffset> {
    let time = try MTCTime.at(timecode, rounding: .floor)
    let hundredths = try (time.residue * 100).rounded(rounding, unit: "hundredths of a frame")
    guard hundredths.value == 100 else {
      return hundredths.map { SMPTEOffset(time.value, hundredths: UInt8($0)) }
    }
    let next = try Timecode(label: time.value.label, rate: time.value.rate).advanced(byFrames: 1)
    let carried = try MTCTime.at(next, rounding: .exact).value
    return hundredths.map { _ in SMPTEOffset(carried, hundredths: 0) }
  }
}
