// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a saved graph says of a unit, for whoever makes it.
///
/// Each value is asked for by its name, with what it may be; a name that nobody asked for is an
/// error of the document.
public struct SetupReader {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate
  private let setup: UnitSetup
  /// Where the values lie in the document.
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

  /// A whole number, or the default where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where it is none within the range.
  public mutating func count(
    _ name: String, in range: ClosedRange<Int>, default initial: Int
  ) throws(GraphError) -> Int {
    guard let value = value(name) else { return initial }
    guard case .count(let count) = value, range.contains(count) else {
      throw error(name, "expected a whole number \(range.lowerBound)…\(range.upperBound)")
    }
    return count
  }

  /// A number, or the default where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where it is none within the range.
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

  /// One of some words, or the default where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where it is none of them.
  public mutating func word(
    _ name: String, of words: [String], default initial: String
  ) throws(GraphError) -> String {
    guard let value = value(name) else { return initial }
    guard case .word(let word) = value, words.contains(word) else {
      throw error(name, "expected one of \(words.joined(separator: ", "))")
    }
    return word
  }

  /// Any text; nil where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where it is none.
  public mutating func text(_ name: String) throws(GraphError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .word(let text) = value else { throw error(name, "expected a text") }
    return text
  }

  /// What is wrong with a value, for the maker of a unit to throw.
  public func badValue(_ name: String, _ reason: String) -> GraphError { error(name, reason) }

  /// Several of some words; none where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where one is none of them, or there are more than `most`.
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

  /// Several whole numbers, or the default where the document has none.
  ///
  /// - Throws: `GraphError.badDocument` where one is outside the range, or there is none, or there
  ///   are more than `most`.
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

  /// Refuses what nobody asked for.
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
