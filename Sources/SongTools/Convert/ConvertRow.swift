// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import MusicalTime

/// One line of the table: a format, the value in it, and the truth beside.
struct ConvertRow {
  package let name: String
  /// The value; nil for one that is text alone, or that there is no answer for.
  package let value: TimeValue?
  package let text: String
  package let isExact: Bool
  /// The exact number of units, where the format counts one.
  package let number: Ratio?
  let residue: Ratio
  package let note: String?
  package let error: TimeError?

  package init(
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

  /// A row of an exact number.
  package init(name: String, number: Ratio, _ style: TimeValue.Style, note: String?)
    throws(TimeError)
  {
    let value = TimeValue.number(number)
    self.init(
      name: name, value: value, text: try value.text(as: .beats, style, days: .days),
      isExact: value.isWhole(style), number: number, residue: .zero, note: note)
  }

  /// A row without an answer.
  package init(name: String, error: TimeError) {
    self.name = name
    value = nil
    text = "–"
    isExact = false
    number = nil
    residue = .zero
    note = "\(error)"
    self.error = error
  }

  /// The exact value, where the text does not show all of it.
  var exactText: String {
    guard let number, !isExact || !number.isInteger else { return "" }
    return "\(number)" == text ? "" : "\(number)"
  }

  /// `≈` before what was rounded.
  var mark: String { isExact || error != nil ? " " : "≈" }
}

extension ConvertRow {
  /// Answers to one time behind one another, with two spaces between.
  package static func line(_ rows: [ConvertRow]) -> String {
    rows.map(\.text).joined(separator: "  ")
  }

  /// Rows under one another, each column as wide as it needs.
  package static func table(_ rows: [ConvertRow]) -> [String] {
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

  /// The members of the row's JSON object.
  package var json: JSONValue {
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
