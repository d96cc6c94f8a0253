// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import MusicalTime

/// One row of the output: the format, the value in this format, and the exact value.
struct ConvertRow {
  let name: String
  /// The value; nil for a row of text, and for an error.
  let value: TimeValue?
  let text: String
  let isExact: Bool
  /// The exact number of units; nil if the format is not a number.
  let number: Ratio?
  let residue: Ratio
  let note: String?
  let error: TimeError?

  init(
    name: String, value: TimeValue?, text: String, isExact: Bool, number: Ratio?,
    residue: Ratio, note: String?
  ) {
    self.name = name
    self.value = value
    self.text = text
    self.isExact = isExact
    self.number = number
    self.residue = residue
    self.note = note
    error = nil
  }

  /// Creates a row with an exact number.
  init(name: String, number: Ratio, _ style: TimeValue.Style, note: String?)
    throws(TimeError)
  {
    let value = TimeValue.number(number)
    self.init(
      name: name, value: value, text: try value.text(as: .beats, style, days: .days),
      isExact: value.isWhole(style), number: number, residue: .zero, note: note)
  }

  /// Creates a row with an error.
  init(name: String, error: TimeError) {
    self.name = name
    value = nil
    text = "–"
    isExact = false
    number = nil
    residue = .zero
    note = "\(error)"
    self.error = error
  }

  /// The exact value, if the text is rounded or the value is a fraction; otherwise empty.
  var exactText: String {
    guard let number, !isExact || !number.isInteger else { return "" }
    return "\(number)" == text ? "" : "\(number)"
  }

  /// The sign `≈` if the value is rounded; otherwise a space.
  var mark: String { isExact || error != nil ? " " : "≈" }
}

extension ConvertRow {
  /// Returns the values of one time as one line, separated by two spaces.
  static func line(_ rows: [ConvertRow]) -> String {
    rows.map(\.text).joined(separator: "  ")
  }

  /// Returns the rows as a table with aligned columns.
  static func table(_ rows: [ConvertRow]) -> [String] {
    let widths = [
      rows.map(\.name.count).max() ?? 0, rows.map(\.text.count).max() ?? 0,
      rows.map(\.exactText.count).max() ?? 0,
    ]
    return rows.map { row in
      let line =
        "\(row.name.padded(to: widths[0])) \(row.mark) \(row.text.padded(to: widths[1]))  "
        + "\(row.exactText.padded(to: widths[2]))  \(row.note ?? "")"
      return line.withoutTrailingSpaces
    }
  }

  /// The JSON object of the row.
  var json: JSONValue {
    if let error {
      return .object([("error", .text(error.name)), ("message", .text("\(error)"))])
    }
    var members: [(name: String, value: JSONValue)] = [
      ("value", .text(text)), ("exact", .bool(isExact)), ("residue", .text("\(residue)")),
    ]
    if let number { members.append(("ratio", .text("\(number)"))) }
    switch value {
    case .barBeat(let label):
      members.append(
        (
          "fields",
          .array(
            [Int(label.bar), Int(label.beat), Int(label.subbeat), Int(label.divisor)]
              .map(JSONValue.integer))
        ))
    case .timecode(let label):
      members.append(("rate", .text(label.rate.name)))
      members.append(("realSeconds", .text("\(label.seconds)")))
    default: break
    }
    return .object(members)
  }
}
