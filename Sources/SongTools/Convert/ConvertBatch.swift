// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import MusicalTime

/// Converts the times on standard input, one per line, in the order of the input.
///
/// With `--to`, each line of the output is the answer to the input line with the same number. A
/// line that is empty or that fails gives an empty line. An error is reported with its line number,
/// and the next lines are still converted.
struct ConvertBatch: ~Copyable {
  private let request: ConvertRequest
  private let context: TimeContext
  private var counts: ConvertCounts?
  private var output = OutputBuffer()
  /// The answer to one line, including the line end.
  private var answer: [UInt8] = []
  private var status: ExitStatus

  private init(_ request: ConvertRequest) {
    self.request = request
    context = request.assumed(request.context)
    counts = ConvertCounts(request)
    status = request.songStatus
  }

  /// Converts every line.
  static func run(_ request: ConvertRequest) throws -> ExitStatus {
    var batch = ConvertBatch(request)
    var lines = InputLines()
    while let range = try lines.next() {
      try batch.answer(lines.bytes, range, number: lines.number)
    }
    try batch.output.flush()
    return batch.status
  }

  private mutating func answer(
    _ bytes: [UInt8], _ range: Range<Int>, number: Int
  ) throws(Failure) {
    if let count = count(bytes, range) { return try output.append(line: count) }
    answer.removeAll(keepingCapacity: true)
    let line = Self.trimmed(bytes, range)
    do throws(TimeError) {
      if !line.isEmpty { try convert(bytes, line) }
    } catch {
      refuse(bytes, line, error, number: number)
    }
    answer.append(0x0A)
    try output.append(answer)
  }

  /// Returns the answer if the line is a plain integer; nil if it is not, or if the conversion
  /// fails.
  @inline(__always)
  private mutating func count(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
    guard counts != nil else { return nil }
    do throws(TimeError) {
      return try counts?.answer(bytes, range)
    } catch {
      // The general conversion fails with the same error, and reports the line number.
      return nil
    }
  }

  /// Converts any time.
  ///
  /// If only one format is printed, this creates no `String`.
  private mutating func convert(_ bytes: [UInt8], _ line: Range<Int>) throws(TimeError) {
    guard request.targets.count == 1, case .time(let format)? = request.targets.first,
      request.form == .text
    else {
      return try convertText(String(decoding: bytes[line], as: UTF8.self))
    }
    let expression = try request.expression(bytes.span.extracting(line))
    if expression.namesRate {
      try append(expression, format, request.context(for: expression))
    } else {
      try append(expression, format, context)
    }
  }

  private mutating func append(
    _ expression: TimeExpression, _ format: TimeFormat, _ context: borrowing TimeContext
  ) throws(TimeError) {
    let position = try context.position(of: expression)
    try context.value(of: position, in: format, rounding: request.rounding(for: format)).value
      .append(as: format, request.style, days: context.dayPolicy, to: &answer)
  }

  private mutating func convertText(_ text: String) throws(TimeError) {
    let time = try ConvertAnswer(text, request)
    guard !request.targets.isEmpty else {
      let rows = try time.rows()
      if rows.contains(where: { $0.error != nil }) { status = .partial }
      let isText = request.form == .text
      let lines =
        isText ? ConvertRow.table(rows) + [""] : ["\(ConvertReport.document(text, rows))"]
      let shown = lines.map(Printable.text).joined(separator: "\n")
      return answer.append(contentsOf: shown.utf8)
    }
    let rows = try time.targetRows()
    let isText = request.form == .text
    let line =
      isText ? Printable.text(ConvertRow.line(rows)) : "\(ConvertReport.document(text, rows))"
    answer.append(contentsOf: line.utf8)
  }

  private mutating func refuse(
    _ bytes: [UInt8], _ line: Range<Int>, _ error: TimeError, number: Int
  ) {
    status = .partial
    let text = String(decoding: bytes[line], as: UTF8.self)
    Terminal.report("line \(number): \(error.sentence(about: text))")
    answer.removeAll(keepingCapacity: true)
    guard request.form != .text else { return }
    answer.append(contentsOf: "\(ConvertReport.document(text, error))".utf8)
  }

  private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}

extension TimeExpression {
  /// True if the text contains a frame rate or a sample rate, which may also be used for the
  /// answer.
  var namesRate: Bool {
    terms.contains { term in
      switch term.value {
      case .samples(_, let rate): rate != nil
      case .frames(_, let rate): rate != nil
      case .timecode(let text): text.rate != nil || text.isDrop || text.subframeBase != nil
      default: false
      }
    }
  }
}
