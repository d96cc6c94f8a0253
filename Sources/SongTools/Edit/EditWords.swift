// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The words of an operation: a name, values, and settings in the form `name=value`.
package struct EditWords {
  package let name: String
  private var values: [String] = []
  private var settings: [(name: String, value: String)] = []

  package init(_ text: String) throws {
    let words = Self.joined(text.split(whereSeparator: \.isWhitespace).map(String.init))
    guard let first = words.first else {
      throw ValidationError("the operation is missing (use \(EditExample.names))")
    }
    name = first.lowercased()
    for word in words.dropFirst() {
      // `=100` is a value, `to=5|1` a setting.
      guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
        values.append(word)
        continue
      }
      let value = String(word[word.index(after: equals)...])
      settings.append((word[..<equals].lowercased(), value))
    }
  }

  /// Returns the words, with a separate unit joined to its number: `120 bpm`, `to=90 s`.
  private static func joined(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      let isUnit = units.contains(word.lowercased())
      if isUnit, joined.count > 1, let last = joined.last, last.last?.isNumber == true {
        joined[joined.count - 1] = last + word
      } else {
        joined.append(word)
      }
    }
  }

  private static let units: Set = [
    "h", "m", "min", "s", "sec", "ms", "us", "ns", "b", "q", "beat", "beats", "bar", "bars", "t",
    "tick", "ticks", "f", "frame", "frames", "smp", "samples", "clk", "bpm", "us/q", "db", "%",
  ]

  /// Takes the next value, or fails with a message that names the missing value.
  mutating func takeValue(_ what: String) throws -> String {
    guard !values.isEmpty else { throw ValidationError("\(name) needs \(what)") }
    return values.removeFirst()
  }

  /// Takes all remaining values as one text.
  mutating func takeValues(_ what: String) throws -> String {
    let first = try takeValue(what)
    defer { values = [] }
    return ([first] + values).joined(separator: " ")
  }

  /// Takes a value that is a plain word.
  ///
  /// Returns false if it is missing.
  mutating func takeFlag(_ word: String) -> Bool {
    guard let index = values.firstIndex(of: word) else { return false }
    values.remove(at: index)
    return true
  }

  /// Takes the value of a setting; nil if it is missing.
  mutating func takeSetting(_ name: String) -> String? {
    guard let index = settings.firstIndex(where: { $0.name == name }) else { return nil }
    return settings.remove(at: index).value
  }

  /// Takes the value of a setting, or fails with an example.
  mutating func requireSetting(_ name: String, _ example: String) throws -> String {
    guard let value = takeSetting(name) else {
      throw ValidationError("\(self.name) needs \(name)= (\(example))")
    }
    return value
  }

  /// The advice for values that were not used: a range of bars, or the form of settings.
  private var advice: String {
    guard let span = BarSpan(values.joined(separator: " ")) else {
      return "settings are name=value: track=2, range=5|1..9|1"
    }
    return "try --range '\(span.range)' --do \(name)"
  }

  /// Reports an error if a value or a setting was not used.
  func expectEnd() throws {
    if let value = values.first {
      throw ValidationError("\(name): unknown word '\(value)' (\(advice))")
    }
    if let setting = settings.first {
      throw ValidationError("\(name): unknown setting '\(setting.name)='")
    }
  }
}
