// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import TOMLText

/// The text of a configuration file, in which single settings can be changed.
///
/// All other text is kept.
struct SettingText {
  private var lines: [String]
  private let entries: [TOMLEntry]

  /// Reads a text.
  ///
  /// - Parameter bytes: The text; empty for a new file.
  /// - Throws: `TOMLError` if the text is not valid TOML.
  init(_ bytes: [UInt8]) throws(TOMLError) {
    entries = try TOMLReader.read(bytes)
    // The text is split as bytes, because CR and LF together are one `Character`.
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The bytes of the text.
  var bytes: [UInt8] { Array((lines.map { $0 + "\n" }.joined()).utf8) }

  /// Finds a setting.
  ///
  /// - Parameter key: The setting.
  /// - Returns: The line, counted from 1; nil if the text does not contain the setting.
  func line(of key: SettingKey) -> Int? { entries.first { $0.path == key.path }?.line }

  /// Changes or adds a setting.
  ///
  /// - Parameters:
  ///   - key: The setting.
  ///   - value: The value in TOML syntax.
  /// - Returns: True if the setting was changed. False if one line is not enough to change it; the
  ///   text is then unchanged.
  mutating func set(_ key: SettingKey, to value: String) -> Bool {
    let old = lines
    if let line = line(of: key) {
      lines[line - 1] = changed(lines[line - 1], to: value)
    } else {
      insert("\(key.word) = \(value)", in: key)
    }
    return keep(hasChanged(only: key, isThere: true), orRestore: old)
  }

  /// Removes a setting.
  ///
  /// - Parameter key: The setting.
  /// - Returns: True if the setting was removed. False if it is not on a separate line; the text is
  ///   then unchanged.
  mutating func remove(_ key: SettingKey) -> Bool {
    guard let line = line(of: key) else { return false }
    let old = lines
    lines.remove(at: line - 1)
    return keep(hasChanged(only: key, isThere: false), orRestore: old)
  }

  private mutating func keep(_ isRight: Bool, orRestore old: [String]) -> Bool {
    if !isRight { lines = old }
    return isRight
  }

  /// Returns a line with another value.
  ///
  /// The comment after the value is kept.
  private func changed(_ line: String, to value: String) -> String {
    // A quoted name may also contain `=`.
    let equals = line.indices.first { line[$0] == "=" && Self.isSetting("\(line[..<$0])= 0") }
    guard let equals else { return line }
    let (start, rest) = (line[...equals], line[line.index(after: equals)...])
    let comment = rest.indices.first { index in
      rest[index] == "#" && Self.isSetting("value = \(rest[..<index])")
    }
    return "\(start) \(value)" + (comment.map { "  \(rest[$0...])" } ?? "")
  }

  private static func isSetting(_ text: String) -> Bool {
    do {
      return try TOMLReader.read(Array(text.utf8)).count == 1
    } catch {
      return false
    }
  }

  /// Inserts a line at the end of its table, which is added if it is missing.
  private mutating func insert(_ text: String, in key: SettingKey) {
    var start = 0
    if let header = key.header {
      guard let place = lines.firstIndex(where: { Self.isHeader($0, header) }) else {
        lines += (lines.isEmpty ? [] : [""]) + [header, text]
        return
      }
      start = place + 1
    }
    let next = lines[start...].firstIndex { $0.drop { $0.isWhitespace }.first == "[" }
    var end = next.map { commentStart(above: $0, from: start) } ?? lines.count
    while end > start, lines[end - 1].allSatisfy(\.isWhitespace) { end -= 1 }
    lines.insert(text, at: end)
  }

  /// The first line of the comment directly above a header, after an empty line; without such a
  /// comment, the line of the header.
  private func commentStart(above header: Int, from start: Int) -> Int {
    var first = header
    while first > start, lines[first - 1].drop(while: \.isWhitespace).first == "#" { first -= 1 }
    return first > start && lines[first - 1].allSatisfy(\.isWhitespace) ? first : header
  }

  private static func isHeader(_ line: String, _ header: String) -> Bool {
    String(line.prefix { $0 != "#" }.filter { !$0.isWhitespace }) == header
  }

  /// Returns true if only one setting changed.
  private func hasChanged(only key: SettingKey, isThere: Bool) -> Bool {
    do {
      let now = try TOMLReader.read(bytes)
      let others = { (entries: [TOMLEntry]) in
        entries.filter { $0.path != key.path }.map { ($0.path, $0.value) }
      }
      return others(now).elementsEqual(others(entries)) { $0 == $1 }
        && now.contains { $0.path == key.path } == isThere
    } catch {
      return false
    }
  }
}
