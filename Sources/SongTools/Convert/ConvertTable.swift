// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// A printable table with every format, with one line for each bar or each second.
struct ConvertTable {
  private static let formats: [TimeFormat] = [
    .barBeat, .beats, .ticks, .clock, .nanoseconds, .samples, .timecode, .frames, .songPosition,
  ]
  private static let longest = 100_000

  private let request: ConvertRequest
  private let context: TimeContext
  private let positions: [TimePosition]

  /// Creates a table for a length: a number of bars, or a duration.
  init(_ request: ConvertRequest, length: String) throws {
    self.request = request
    context = request.assumed(request.context)
    if let bars = Int(length) {
      positions = try Self.bars(bars, context)
      return
    }
    let expression: TimeExpression
    do {
      expression = try TimeExpression(length)
    } catch {
      throw FlagText("--table", length).failure("\(error)")
    }
    positions = try Self.seconds(try context.seconds(of: context.position(of: expression)))
  }

  /// Returns the positions of bar lines, starting with the last one at or before the origin.
  private static func bars(_ count: Int, _ context: TimeContext) throws -> [TimePosition] {
    try check(count, "bars")
    let first = try context.meterMap.barBeat(at: 0, divisor: 1, rounding: .floor).value.bar
    return try (0..<Int32(count)).map { index in
      let label = BarBeat(bar: first + index, beat: 1, divisor: 1)
      return .quarters(try context.meterMap.quarters(at: label))
    }
  }

  private static func seconds(_ length: Ratio) throws -> [TimePosition] {
    let count = Int(try length.rounded(.ceil, unit: "seconds").value)
    try check(count, "seconds")
    return (0..<count).map { .seconds(Ratio(Int64($0))) }
  }

  private static func check(_ count: Int, _ unit: String) throws(Failure) {
    guard (1...longest).contains(count) else {
      throw Failure(.usage, "--table: not in 1…\(longest) \(unit)")
    }
  }

  /// Prints the table, or its lines as JSON documents.
  func write() throws -> ExitStatus {
    if request.form != .text { return try writeDocuments() }
    var lines = [["meter", "bpm"] + Self.formats.map(\.rawValue)]
    for position in positions { lines.append(try line(position)) }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    for line in lines {
      try Terminal.output(
        zip(line, widths).map { $0.indented(to: $1) }.joined(separator: "  "))
    }
    return request.songStatus
  }

  private func line(_ position: TimePosition) throws(TimeError) -> [String] {
    var cells = try place(position)
    for format in Self.formats { cells.append(try cell(position, format)) }
    return cells
  }

  /// Returns the meter and the tempo at a position.
  private func place(_ position: TimePosition) throws(TimeError) -> [String] {
    let meter = try context.meterMap.signature(at: context.quarters(of: position))
    return ["\(meter)", try context.beatsPerMinute(at: position).decimal(2)]
  }

  /// Returns a value, after `≈` if it is rounded; a dash if the format cannot express it.
  private func cell(_ position: TimePosition, _ format: TimeFormat) throws(TimeError) -> String {
    do throws(TimeError) {
      let converted = try context.value(
        of: position, in: format, rounding: request.rounding(for: format))
      let text = try converted.value.text(as: format, request.style, days: context.dayPolicy)
      let isExact = converted.isExact && converted.value.isWhole(request.style)
      return isExact ? text : "≈" + text
    } catch {
      guard format == .songPosition, case .fieldOutOfRange = error else { throw error }
      return "–"
    }
  }

  private func writeDocuments() throws -> ExitStatus {
    for position in positions {
      let answer = try ConvertAnswer(position, request)
      try Terminal.output(ConvertReport.document(answer.text, try answer.rows()))
    }
    return request.songStatus
  }
}
