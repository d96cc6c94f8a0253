// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The times of the command line, answered one after another.
struct ConvertReport {
  private let request: ConvertRequest
  private var documents: [JSONValue] = []
  private var failures: [ExitStatus] = []
  private var answered = 0

  private init(_ request: ConvertRequest) {
    self.request = request
  }

  /// Answers times; what fails is told on standard error, and the others are still answered.
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
      if let target = request.target {
        rows = [try answer.row(target)]
      } else {
        rows = try answer.rows()
      }
    } catch {
      return try refuse(text, error)
    }
    for case let error? in rows.map(\.error) { failures.append(error.exitStatus) }
    try show(answer.text, rows)
  }

  private mutating func show(_ text: String, _ rows: [ConvertRow]) throws(Failure) {
    if rows.allSatisfy({ $0.error == nil }) { answered += 1 }
    guard request.form == .text else { return try add(ConvertReport.document(text, rows)) }
    if request.target != nil { return try Terminal.output(rows.map(\.text)) }
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
      try Terminal.output("\(document)")
    } else {
      documents.append(document)
    }
  }

  private func finish() throws(Failure) {
    guard request.form == .document else { return }
    if documents.count == 1 {
      try Terminal.output("\(documents[0])")
    } else {
      try Terminal.output(
        "\(JSONValue.object([("v", 1), ("type", "times"), ("times", .array(documents))]))")
    }
  }
}

extension ConvertReport {
  /// The document of one time.
  static func document(_ text: String, _ rows: [ConvertRow]) -> JSONValue {
    .object([
      ("v", 1), ("type", "time"), ("input", .text(text)),
      ("values", .object(rows.map { ($0.name, $0.json) })),
    ])
  }

  /// The document of a time that failed.
  static func document(_ text: String, _ error: TimeError) -> JSONValue {
    .object([
      ("v", 1), ("type", "error"), ("input", .text(text)), ("error", .text(error.name)),
      ("message", .text(error.sentence(about: text))),
    ])
  }
}

extension ConvertAnswer {
  /// The answer that `--to` asks for.
  func row(_ target: ConvertTarget) throws(TimeError) -> ConvertRow {
    switch target {
    case .time(let format): return try row(format)
    case .mtc: return try mtcRow()
    case .beatsPerMinute, .microsecondsPerQuarter:
      guard case .tempo(let length) = expression.value else {
        throw .missingContext("a tempo: 125bpm")
      }
      let rows = try tempoRows(length)
      if case .beatsPerMinute = target { return rows[0] }
      return rows[1]
    }
  }

  private func mtcRow() throws(TimeError) -> ConvertRow {
    guard let position else { throw .missingContext("a time: \(text) is a tempo (--to bpm)") }
    let label = try context.value(of: position, in: .timecode, rounding: .floor)
    guard case .timecode(let timecode) = label.value else { throw .missingContext("a label") }
    let time = try MTCTime.at(timecode, rounding: request.rounding ?? .floor)
    let bytes = JSONValue.hexadecimal(time.value.fullFrame()).string ?? ""
    return ConvertRow(
      name: "mtc", value: nil, text: bytes, isExact: label.isExact && time.isExact, number: nil,
      residue: .zero, note: nil)
  }

  /// What to type where the shell may have cut a label off at `;`.
  var hint: String? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard context.frameRate?.isDrop == true, fields.count == 3,
      fields.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) })
    else { return nil }
    return "\(text) was read as clock time; for a label write '\(text);00' in quotes, or \(text):00"
  }
}
