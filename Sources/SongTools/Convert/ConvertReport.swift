// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import MusicalTime

/// The conversion of the times of the command line, in order.
struct ConvertReport {
  private let request: ConvertRequest
  private var documents: [JSONValue] = []
  private var failures: [ExitStatus] = []
  private var answered = 0

  private init(_ request: ConvertRequest) {
    self.request = request
  }

  /// Converts the times and prints the answers.
  ///
  /// An error is reported on standard error, and the next times are still converted.
  static func write(_ times: [String], _ request: ConvertRequest) throws -> ExitStatus {
    var report = ConvertReport(request)
    for time in times { try report.answer(time) }
    try report.finish()
    return report.status
  }

  private var status: ExitStatus {
    guard let first = failures.first else { return request.songStatus }
    return answered == 0 ? first : .partial
  }

  private mutating func answer(_ text: String) throws(Failure) {
    let answer: ConvertAnswer
    let rows: [ConvertRow]
    do throws(TimeError) {
      answer = try ConvertAnswer(text, request)
      answer.hint.map(Terminal.report)
      rows = try request.targets.isEmpty ? answer.rows() : answer.targetRows()
    } catch {
      return try refuse(text, error)
    }
    tell(rows.compactMap(\.error), of: text)
    try show(answer.text, rows)
  }

  /// Reports the errors of rows.
  ///
  /// An error of several rows is reported once.
  private mutating func tell(_ errors: [TimeError], of text: String) {
    var told: Set<TimeError> = []
    for error in errors where told.insert(error).inserted {
      failures.append(error.exitStatus)
      Terminal.report(error.sentence(about: text))
    }
  }

  private mutating func show(_ text: String, _ rows: [ConvertRow]) throws(Failure) {
    if rows.allSatisfy({ $0.error == nil }) { answered += 1 }
    guard request.form == .text else { return try add(ConvertReport.document(text, rows)) }
    if !request.targets.isEmpty { return try Terminal.output(ConvertRow.line(rows)) }
    if !documents.isEmpty { try Terminal.output("") }
    documents.append(.null)
    try Terminal.output(ConvertRow.table(rows))
  }

  private mutating func refuse(_ text: String, _ error: TimeError) throws(Failure) {
    failures.append(error.exitStatus)
    Terminal.report(error.sentence(about: text))
    if request.form != .text { try add(ConvertReport.document(text, error)) }
  }

  private mutating func add(_ document: JSONValue) throws(Failure) {
    if request.form == .documents {
      try Terminal.output(document)
    } else {
      documents.append(document)
    }
  }

  private func finish() throws(Failure) {
    guard request.form == .document else { return }
    if documents.count == 1 {
      try Terminal.output(documents[0])
    } else {
      try Terminal.output(
        JSONValue.object([("v", 1), ("type", "times"), ("times", .array(documents))]))
    }
  }
}

extension ConvertReport {
  /// Returns the JSON document of one time.
  static func document(_ text: String, _ rows: [ConvertRow]) -> JSONValue {
    .object([
      ("v", 1), ("type", "time"), ("input", .text(text)),
      ("values", .object(rows.map { ($0.name, $0.json) })),
    ])
  }

  /// Returns the JSON document of a time that could not be converted.
  static func document(_ text: String, _ error: TimeError) -> JSONValue {
    .object([
      ("v", 1), ("type", "error"), ("input", .text(text)), ("error", .text(error.name)),
      ("message", .text(error.sentence(about: text))),
    ])
  }
}

extension ConvertAnswer {
  /// Returns the rows of the formats of `--to`.
  func targetRows() throws(TimeError) -> [ConvertRow] {
    var rows: [ConvertRow] = []
    for target in request.targets { rows.append(try row(target)) }
    return rows
  }

  private func row(_ target: ConvertTarget) throws(TimeError) -> ConvertRow {
    switch target {
    case .time(let format): return try row(format)
    case .mtc: return try mtcRow()
    case .minutes: return try minutesRow()
    case .beatsPerMinute, .microsecondsPerQuarter:
      let rows = try tempoRows(quarterLength())
      if case .beatsPerMinute = target { return rows[0] }
      return rows[1]
    }
  }

  /// Returns the microseconds of a tempo's quarter note.
  ///
  /// If the time is a length, it is used as a quarter note.
  private func quarterLength() throws(TimeError) -> Ratio {
    if case .tempo(let length) = expression.value { return length }
    guard let position else { throw .missingContext("a tempo: 125bpm") }
    let length = try context.seconds(of: position) * 1_000_000
    guard length > 0 else { throw .badTempo("of \(text) a quarter note") }
    return length
  }

  /// Returns the time, or the length of a tempo's quarter note, in minutes.
  private func minutesRow() throws(TimeError) -> ConvertRow {
    let minutes = try context.seconds(of: position(for: .seconds)) / 60
    return try ConvertRow(name: "min", number: minutes, request.style, note: nil)
  }

  private func mtcRow() throws(TimeError) -> ConvertRow {
    guard let position else { throw .missingContext("a time: \(text) is a tempo (try --to bpm)") }
    let label = try context.value(of: position, in: .timecode, rounding: .floor)
    guard case .timecode(let timecode) = label.value else { throw .missingContext("a time code") }
    let time = try MTCTime.at(timecode, rounding: request.rounding ?? .floor)
    let bytes = time.value.fullFrame().map(MonitorLine.hex).joined(separator: " ")
    return ConvertRow(
      name: "mtc", value: nil, text: bytes, isExact: label.isExact && time.isExact, number: nil,
      residue: .zero, note: nil)
  }

  /// A hint for a text that may have another meaning: `33.1` may be a bar and a beat, and
  /// `01:02:03` may be a time code that the shell cut off at `;`.
  var hint: String? {
    if request.source == nil, case .seconds = expression.value, isBarAndBeat {
      return "\(text) was read as seconds (for bar and beat, type \(text).0)"
    }
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard context.frameRate?.isDrop == true, fields.count == 3,
      fields.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) })
    else { return nil }
    return
      "\(text) was read as clock time (for time code, type '\(text);00' in quotes, or \(text):00)"
  }

  /// True if the text could be a bar and a beat: two whole numbers from 1, separated by a point.
  private var isBarAndBeat: Bool {
    let fields = text.split(separator: ".", omittingEmptySubsequences: false)
    return fields.count == 2 && fields.allSatisfy { UInt16($0).map { $0 > 0 } ?? false }
      && fields.allSatisfy { !$0.hasPrefix("0") && !$0.hasPrefix("+") }
  }
}
