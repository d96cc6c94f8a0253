// SPDX-License-Identifier: Apache-2.0

extension TimeReader {
  /// Reads a frame rate up to the end of the text: `25`, `29.97df`, `30000/1001df`.
  mutating func frameRate() throws(TimeError) -> FrameRate {
    let rate = try FrameRate(parsing: bytes.extracting(position..<end))
    position = end
    return rate
  }

  /// Reads a sample rate up to the end of the text: `48k`, `44.1k`, `44100`, `48000Hz`.
  mutating func sampleRate() throws(TimeError) -> SampleRate {
    let start = position
    var hertz = try number()
    if take("k") { hertz = try hertz * 1000 }
    _ = take("hz")
    let isWhole = isAtEnd && hertz.isInteger && hertz < 4_294_967_296
    guard isWhole, let rate = SampleRate(hertz: Int(hertz.numerator)) else {
      throw .fieldOutOfRange(
        field: "sample rate", value: text(start, end), range: "whole numbers, 1…4000000 Hz")
    }
    return rate
  }

  /// Reads ticks per quarter note up to the end of the text: `960`.
  mutating func resolution() throws(TimeError) -> PPQN {
    let value = try integer("ticks per quarter note")
    try expectEnd("unexpected text after the ticks per quarter note")
    guard let resolution = PPQN(Int(value)) else {
      throw .fieldOutOfRange(
        field: "ticks per quarter note", value: "\(value)", range: "1…32767")
    }
    return resolution
  }
}

extension SampleRate {
  /// Creates a sample rate from a string such as `48000`, `44.1k` or `48kHz`.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` if the rate is not a whole number of 1…4 000 000 Hz;
  ///   `TimeError.malformed` if the string is not a number.
  public init(parsing text: String) throws(TimeError) {
    let bytes = Array(text.utf8)
    var reader = TimeReader(bytes.span)
    self = try reader.sampleRate()
  }
}
