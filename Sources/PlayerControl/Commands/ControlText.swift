// SPDX-License-Identifier: Apache-2.0
package import JSONText

/// The answers of a player as text for the user.
package enum ControlText {
  private static let rows: [(label: String, property: ControlProperty)] = [
    ("state", .state), ("title", .title), ("file", .path), ("bar", .bar), ("marker", .marker),
    ("tempo", .tempo), ("meter", .meter), ("key", .key), ("speed", .speed),
    ("transpose", .transpose), ("volume", .volume), ("mute", .mute), ("solo", .solo),
  ]

  /// The lines of a status, without properties that are missing.
  package static func lines(ofStatus status: JSONValue) -> [String] {
    var lines = rows.compactMap { label, property in
      status[property.rawValue].flatMap { line(label, property, $0) }
    }
    if let seconds = seconds(status[ControlProperty.position.rawValue]) {
      let whole = length(status[ControlProperty.duration.rawValue])
      lines.insert(padded("time") + seconds.clockText + whole, at: min(3, lines.count))
    }
    return lines
  }

  private static func line(
    _ label: String, _ property: ControlProperty, _ value: JSONValue
  ) -> String? {
    let text = text(of: property, value)
    return text.isEmpty ? nil : padded(label) + text
  }

  private static func padded(_ label: String) -> String {
    label + String(repeating: " ", count: 10 - label.count)
  }

  private static func seconds(_ value: JSONValue?) -> Int64? {
    value?.scalarText.flatMap(Double.init).map { Int64($0) }
  }

  private static func length(_ value: JSONValue?) -> String {
    value?.scalarText.flatMap(Double.init).map { " / \($0.lengthText)" } ?? ""
  }

  /// The value of a property on one line, empty for null.
  ///
  /// Channels are counted from 1; those of further ports follow the port: `2:10`.
  package static func text(of property: ControlProperty, _ value: JSONValue) -> String {
    switch (property, value) {
    case (_, .null): ""
    case (_, .bool(let flag)): flag ? "yes" : "no"
    case (.mute, .array(let channels)), (.solo, .array(let channels)):
      channels.compactMap(\.wholeNumber).map(label).joined(separator: ",")
    case (.programs, .array(let programs)):
      programs.compactMap(\.wholeNumber).map { "\($0 + 1)" }.joined(separator: ",")
    case (.level, .array(let peaks)):
      peaks.compactMap(\.scalarText).map(trimmed).joined(separator: " ") + " dB"
    case (.volume, let value): value.scalarText.map { "\(trimmed($0)) dB" } ?? ""
    case (.tempo, let value), (.speed, let value): value.scalarText.map(trimmed) ?? ""
    case (_, let value): value.scalarText ?? "\(value)"
    }
  }

  /// The label of a channel index, with 16 channels for each port.
  private static func label(_ channel: Int64) -> String {
    (channel > 15 ? "\(channel / 16 + 1):" : "") + "\(channel % 16 + 1)"
  }

  /// The digits without trailing zeros.
  private static func trimmed(_ digits: String) -> String {
    guard digits.contains(".") else { return digits }
    let short = digits.reversed().drop { $0 == "0" }
    return String((short.first == "." ? short.dropFirst() : short).reversed())
  }

  /// The lines of a list of files, each with its number, and a mark for the current file.
  package static func lines(ofList list: JSONValue) -> [String] {
    (list.elements ?? []).map { file in
      let mark = file["current"]?.isTrue == true ? "*" : " "
      let path = file["path"]?.string ?? ""
      let title = file["title"]?.string ?? ""
      let isOfFile = title.isEmpty || SongEntry(path: path).titleOfFile == title
      let name = path + (isOfFile ? "" : "  \(title)")
      return "\(mark) \((file["index"]?.wholeNumber ?? 0) + 1)  \(name)"
    }
  }
}
