// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads the settings of a unit from a saved graph, for the code that creates the unit.
///
/// The code reads each setting by name, and states the valid values. If the document has a setting
/// that the code did not read, the document is not valid.
public struct SetupReader {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate
  private let setup: UnitSetup
  /// The path of the settings in the document.
  private let path: String
  private var asked: Set<String> = []

  init(_ unit: SavedGraph.Unit, rate: SampleRate, path: String) {
    name = unit.name
    setup = unit.setup
    self.rate = rate
    self.path = path
  }

  private mutating func value(_ name: String) -> UnitSetup.Value? {
    asked.insert(name)
    return setup.values[name]
  }

  private func error(_ name: String, _ reason: String) -> GraphError {
    .badDocument(path: "\(path).\(name)", reason: reason)
  }

  /// Reads a whole number; returns the default if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if the setting is not a whole number in the given range.
  public mutating func count(
    _ name: String, in range: ClosedRange<Int>, default initial: Int
  ) throws(GraphError) -> Int {
    guard let value = value(name) else { return initial }
    guard case .count(let count) = value, range.contains(count) else {
      throw error(name, "expected a whole number \(range.lowerBound)…\(range.upperBound)")
    }
    return count
  }

  /// Reads a number; returns the default if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if the setting is not a number in the given range.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double>, default initial: Double
  ) throws(GraphError) -> Double {
    let number: Double
    switch value(name) {
    case nil: return initial
    case .number(let value): number = value
    case .count(let value): number = Double(value)
    default: number = .nan
    }
    guard range.contains(number) else {
      throw error(name, "expected a number \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  /// Reads one of several words; returns the default if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if the setting is not one of the words.
  public mutating func word(
    _ name: String, of words: [String], default initial: String
  ) throws(GraphError) -> String {
    guard let value = value(name) else { return initial }
    guard case .word(let word) = value, words.contains(word) else {
      throw error(name, "expected one of \(words.joined(separator: ", "))")
    }
    return word
  }

  /// Reads a string; returns nil if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if the setting is not a string.
  public mutating func text(_ name: String) throws(GraphError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .word(let text) = value else { throw error(name, "expected a text") }
    return text
  }

  /// Returns an error for a setting, which the function that creates a unit can throw.
  public func badValue(_ name: String, _ reason: String) -> GraphError { error(name, reason) }

  /// Reads a list of words; returns an empty list if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if a word is not one of `words`, or if there are more than
  ///   `most`.
  public mutating func words(
    _ name: String, of words: [String], most: Int
  ) throws(GraphError) -> [String] {
    switch value(name) {
    case nil, .counts([]): return []
    case .words(let list) where list.count <= most && list.allSatisfy(words.contains): return list
    default:
      throw error(
        name, "expected a list of at most \(most) of these: \(words.joined(separator: ", "))")
    }
  }

  /// Reads a list of whole numbers; returns the default if the setting is absent.
  ///
  /// - Throws: `GraphError.badDocument` if the list is empty or has more than `most` elements, or
  ///   if a number is outside the range.
  public mutating func counts(
    _ name: String, in range: ClosedRange<Int>, most: Int, default initial: [Int]
  ) throws(GraphError) -> [Int] {
    guard let value = value(name) else { return initial }
    guard case .counts(let counts) = value, (1...most).contains(counts.count),
      counts.allSatisfy(range.contains)
    else {
      throw error(
        name,
        "expected 1 to \(most) whole numbers \(range.lowerBound)…\(range.upperBound)")
    }
    return counts
  }

  /// Throws if a setting was not read.
  func finish() throws(GraphError) {
    guard let other = setup.values.keys.sorted().first(where: { !asked.contains($0) }) else {
      return
    }
    let known = asked.sorted().joined(separator: ", ")
    throw error(
      other,
      "unknown setting of \(setup.kind)" + (known.isEmpty ? "" : " (available: \(known))"))
  }
}
