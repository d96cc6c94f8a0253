// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// One time that was read and located, from which all forms of the answer are made.
struct ConvertAnswer {
  let text: String
  let request: ConvertRequest
  let expression: TimeExpression
  let context: TimeContext
  /// The position of the time; nil for a tempo.
  let position: TimePosition?

  /// Creates the answer for a position, with the number of quarter notes as its text.
  init(_ position: TimePosition, _ request: ConvertRequest) throws(TimeError) {
    let quarters = try request.context.quarters(of: position)
    text = "\(quarters)q"
    self.request = request
    expression = TimeExpression(.beats(quarters))
    context = request.assumed(request.context)
    self.position = position
  }

  init(_ text: String, _ request: ConvertRequest) throws(TimeError) {
    self.text = text
    self.request = request
    expression = try request.expression(text)
    context = request.context(for: expression)
    if case .tempo = expression.value {
      position = nil
    } else {
      position = try context.position(of: expression)
    }
  }

  /// Returns the row of one format.
  func row(_ format: TimeFormat) throws(TimeError) -> ConvertRow {
    let position = try position(for: format)
    let converted = try context.value(
      of: position, in: format, rounding: request.rounding(for: format))
    let value = converted.value
    let number =
      format == .barBeat || format == .hostTime
      ? nil : try context.number(of: position, in: format)
    return ConvertRow(
      name: format.rawValue, value: value,
      text: try value.text(as: format, request.style, days: context.dayPolicy),
      isExact: converted.isExact && value.isWhole(request.style), number: number,
      residue: converted.residue, note: try note(format, value))
  }

  /// Returns the position to print in a format.
  ///
  /// For a tempo, this is the length of its quarter note, if the format is in real time.
  func position(for format: TimeFormat) throws(TimeError) -> TimePosition {
    if let position { return position }
    switch (format, expression.value) {
    case (.clock, .tempo(let length)), (.seconds, .tempo(let length)),
      (.milliseconds, .tempo(let length)), (.microseconds, .tempo(let length)),
      (.nanoseconds, .tempo(let length)), (.samples, .tempo(let length)):
      return .seconds(try length / 1_000_000)
    default:
      throw .missingContext("a time: \(text) is a tempo (try --to bpm or --to ms)")
    }
  }

  /// Returns a row for every format.
  ///
  /// A row that could not be computed contains the error.
  func rows() throws(TimeError) -> [ConvertRow] {
    if case .tempo(let length) = expression.value { return try tempoRows(length) }
    var rows: [ConvertRow] = []
    for format in TimeFormat.allCases where format != .hostTime || context.anchor != nil {
      do throws(TimeError) {
        rows.append(try row(format))
      } catch {
        if format == .songPosition, case .fieldOutOfRange = error { continue }
        rows.append(ConvertRow(name: format.rawValue, error: error))
      }
    }
    return rows
  }

  /// Returns the rows of a tempo.
  func tempoRows(_ length: Ratio) throws(TimeError) -> [ConvertRow] {
    let style = request.style
    return [
      try ConvertRow(
        name: "bpm", number: 60_000_000 / length, style, note: "quarter notes per minute"),
      try ConvertRow(name: "us/q", number: length, style, note: "microseconds per quarter note"),
      try ConvertRow(name: "ms/q", number: length / 1000, style, note: nil),
      try ConvertRow(name: "sec/q", number: length / 1_000_000, style, note: nil),
    ]
  }

  /// Returns the note after the value of a row; nil for none.
  private func note(_ format: TimeFormat, _ value: TimeValue) throws(TimeError) -> String? {
    switch (format, value) {
    case (.barBeat, .barBeat(let label)): return try place(label)
    case (.ticks, _): return context.tempoMap.division.note
    case (.samples, _): return context.sampleRate.map { "at \($0.hertz) Hz" }
    case (.timecode, .timecode(let label)): return try realTime(label)
    case (.songPosition, _): return "MIDI beats"
    case (.midiClocks, _): return "MIDI clocks"
    default: return nil
    }
  }

  /// Returns a text with the divisor, and with the meter and the tempo at this time.
  private func place(_ label: BarBeat) throws(TimeError) -> String {
    let quarters = try context.meterMap.quarters(at: label)
    let tempo = try context.beatsPerMinute(at: .quarters(quarters))
    return "of \(label.divisor), in \(try context.meterMap.signature(at: quarters)) at "
      + "\(try TimeValue.number(tempo).text(as: .beats, .init(), days: .days)) bpm"
  }

  /// Returns a text with the frame rate.
  ///
  /// For rates that differ from real time, it includes the time in seconds.
  private func realTime(_ label: Timecode) throws(TimeError) -> String {
    let rate = label.rate
    guard rate.isSlowed || rate.isDrop else { return "at \(rate)" }
    let seconds = try TimeValue.number(label.seconds).text(as: .seconds, .init(), days: .days)
    return "at \(rate): \(label) = \(seconds) s real time"
  }
}

extension Division {
  fileprivate var note: String {
    switch self {
    case .ppqn(let resolution): "\(resolution.ticks) per quarter note"
    case .smpte(let rate, let ticks): "\(ticks) per frame at \(rate)"
    }
  }
}
