// SPDX-License-Identifier: Apache-2.0

/// A time code as it was written, whose rate may be unknown.
///
/// Examples are `01:02:03:12`, `01:02:03;12`, `01:02:03:12.40/80@25`, `-00:00:01:00` and
/// `1 00:00:00:05`. A `;` as any separator means drop-frame. A full stop precedes the subframes, a
/// slash their number per frame, and `@` the rate.
public struct TimecodeText: Hashable, Sendable {
  /// The fields of the time code, without its rate.
  public var label: TimecodeLabel
  /// True if the time code was written with a `;`.
  public var isDrop: Bool
  /// True if the time code was written with subframes.
  public var hasSubframes: Bool
  /// The number of subframes per frame, if it was written; otherwise nil.
  public var subframeBase: UInt16?
  /// The frame rate, if it was written; otherwise nil.
  ///
  /// With a `;`, `@29.97` is the drop-frame rate.
  public var rate: FrameRate?

  /// Creates a time code from UTF-8 bytes.
  ///
  /// - Parameter text: UTF-8 text that consists only of the time code.
  /// - Throws: `TimeError.malformed`, `TimeError.fieldOutOfRange`, `TimeError.unknownRate`;
  ///   `TimeError.dropSeparator` for a `;` with a rate that does not have a drop-frame variant.
  public init(parsing text: Span<UInt8>) throws(TimeError) {
    var scanner = TextScanner(text)
    self = try scanner.timecode()
    try scanner.expectEnd()
  }

  /// Creates a time code from a string.
  ///
  /// - Throws: The errors of `init(parsing:)` for bytes.
  public init(parsing text: String) throws(TimeError) {
    try self.init(parsing: Array(text.utf8).span)
  }

  init(label: TimecodeLabel, isDrop: Bool) {
    self.label = label
    self.isDrop = isDrop
    hasSubframes = false
  }

  /// Converts the written time code to a position.
  ///
  /// - Parameters:
  ///   - defaultRate: The frame rate to use if none was written.
  ///   - defaultBase: The number of subframes per frame to use if none was written.
  /// - Returns: The position; it has one subframe per frame if subframes were not written.
  /// - Throws: `TimeError.missingContext` if the rate or the number of subframes per frame is
  ///   unknown; `TimeError.dropSeparator` for a `;` at a rate that is not drop-frame;
  ///   `TimeError.fieldOutOfRange`, `TimeError.droppedLabel`, `TimeError.overflow`.
  public func timecode(
    rate defaultRate: FrameRate?, subframeBase defaultBase: UInt16?
  ) throws(TimeError) -> Timecode {
    guard let rate = rate ?? defaultRate else { throw .missingContext("a frame rate") }
    guard rate.isDrop || !isDrop else {
      throw .dropSeparator(label: rate.text(of: label), rate: rate.name)
    }
    let base = hasSubframes ? subframeBase ?? defaultBase : 1
    guard let base else { throw .missingContext("a subframe base") }
    return try Timecode(label: label, rate: rate, subframeBase: base)
  }
}

extension TextScanner {
  /// Reads a time code with optional subframes and rate.
  mutating func timecode() throws(TimeError) -> TimecodeText {
    let isNegative = take("-")
    var first = try integer("a number of hours")
    var days: Int64 = 0
    if take(" ") {
      days = first
      first = try integer("a number of hours")
    }
    var drops = false
    try separator(&drops)
    let minutes = try integer("a number of minutes")
    try separator(&drops)
    let seconds = try integer("a number of seconds")
    try separator(&drops)
    let frames = try integer("a number of frames")
    var text = TimecodeText(
      label: TimecodeLabel(
        days: days, hours: try field("hours", first), minutes: try field("minutes", minutes),
        seconds: try field("seconds", seconds), frames: try field("frames", frames),
        isNegative: isNegative),
      isDrop: drops)
    try subframes(&text)
    try rate(&text)
    return text
  }

  private mutating func separator(_ drops: inout Bool) throws(TimeError) {
    if take(";") {
      drops = true
    } else if !take(":") {
      throw error("expected ':' or ';'")
    }
  }

  private mutating func subframes(_ text: inout TimecodeText) throws(TimeError) {
    guard take(".") else { return }
    text.hasSubframes = true
    let value = try integer("a number of subframes")
    guard let subframes = UInt16(exactly: value) else {
      throw .fieldOutOfRange(field: "subframes", value: "\(value)", range: "0…65534")
    }
    text.label.subframes = subframes
    guard take("/") else { return }
    let base = try integer("a subframe base")
    guard let narrow = UInt16(exactly: base), narrow > 0 else {
      throw .fieldOutOfRange(field: "subframe base", value: "\(base)", range: "1…65535")
    }
    text.subframeBase = narrow
  }

  private mutating func rate(_ text: inout TimecodeText) throws(TimeError) {
    guard take("@") else { return }
    let rate = try frameRate()
    guard text.isDrop, !rate.isDrop else {
      text.rate = rate
      return
    }
    guard let dropped = rate.dropped else {
      throw .dropSeparator(label: self.text, rate: rate.name)
    }
    text.rate = dropped
  }

  private func field(_ name: String, _ value: Int64) throws(TimeError) -> UInt8 {
    guard let narrow = UInt8(exactly: value) else {
      throw .fieldOutOfRange(field: name, value: "\(value)", range: "below 256")
    }
    return narrow
  }
}
