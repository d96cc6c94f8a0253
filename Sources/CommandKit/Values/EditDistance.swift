// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// A musical distance: a note value (`1/4`; for a grid also `1/8t`, `1/8d` and `1/8.`), quarter
/// notes or ticks.
package struct EditDistance {
  private enum Length {
    case quarters(Ratio)
    case ticks(Ratio)
    case seconds(Ratio)
  }

  private let text: String
  private let length: Length

  package init(parsing text: String, isGrid: Bool) throws {
    self.text = text
    let unsigned = text.hasPrefix("+") ? String(text.dropFirst()) : text
    if let value = try Self.noteValue(unsigned, isGrid: isGrid) {
      length = .quarters(value)
      return
    }
    do {
      switch try TimeExpression(unsigned).value {
      case .beats(let quarters): length = .quarters(quarters)
      case .ticks(let ticks, nil): length = .ticks(ticks)
      case .seconds(let seconds): length = .seconds(seconds)
      default: throw ValidationError("'\(text)' is not a distance (try 1/4, 2b or 120t)")
      }
    } catch TimeError.missingUnit {
      guard !isGrid else {
        let grid = Self.gridValue(unsigned) ?? "1/16, \(unsigned)b or \(unsigned)t"
        throw ValidationError("'\(text)' is not a grid (try \(grid))")
      }
      throw ValidationError("distance: '\(text)' needs a unit (try \(text)b, \(text)t or 1/4)")
    } catch is TimeError {
      throw ValidationError("'\(text)' is not a distance (try 1/4, 2b or 120t)")
    }
  }

  /// The note value for a denominator alone, such as `1/16` for `16`; nil for other texts.
  ///
  /// - Parameter text: The text that was typed as a grid.
  /// - Returns: The note value.
  package static func gridValue(_ text: String) -> String? {
    let name = text.hasSuffix("t") ? String(text.dropLast()) : text
    return ["2", "4", "8", "16", "32", "64", "128"].contains(name) ? "1/\(text)" : nil
  }

  /// True if the distance is above 0.
  package var isAboveZero: Bool {
    switch length {
    case .quarters(let value), .ticks(let value), .seconds(let value): value > 0
    }
  }

  /// The quarter notes of a note value; nil if the text is not a note value.
  private static func noteValue(_ text: String, isGrid: Bool) throws -> Ratio? {
    var digits = text
    var factor = Ratio(4)
    if isGrid, digits.hasSuffix("t"), digits.contains("/") {
      digits.removeLast()
      factor = Ratio(8, over: 3)
    } else if isGrid, let last = digits.last, ".d".contains(last), digits.contains("/") {
      digits.removeLast()
      factor = 6
    }
    guard digits.contains("/"), digits.allSatisfy({ $0.isNumber || $0 == "/" || $0 == "-" }) else {
      return nil
    }
    do {
      return try Ratio(parsing: digits) * factor
    } catch {
      throw ValidationError("note value '\(text)': \(error)")
    }
  }

  /// The distance in ticks of a sequence, with fractions.
  package func ticks(in sequence: MusicSequence) throws -> Ratio {
    do {
      switch (length, sequence.division) {
      case (.ticks(let ticks), _): return ticks
      case (.quarters(let quarters), .ppqn(let resolution)):
        return try quarters * Ratio(Int64(resolution.ticks))
      case (.seconds(let seconds), .smpte):
        return try seconds * (sequence.division.ticksPerSecond ?? 0)
      case (.quarters, .smpte):
        throw Failure(
          .usage, "distance '\(text)': the song is timed in seconds, not notes (try 40t or 500ms)")
      case (.seconds, .ppqn):
        throw Failure(
          .usage,
          "distance '\(text)': must be a note value, beats or ticks, not seconds (try 1/4, 2b or 120t)"
        )
      }
    } catch let error as TimeError {
      throw Failure(.usage, "distance '\(text)': \(error)")
    }
  }

  /// The distance in ticks, rounded to the nearest; rounding is reported.
  package func wholeTicks(in sequence: MusicSequence) throws -> Int64 {
    do {
      let exact = try ticks(in: sequence)
      let whole = try exact.rounded(.nearest, unit: "ticks")
      if !whole.isExact {
        Terminal.report(
          "distance \(text): \(exact.decimal(3)) ticks in this song, rounded to \(whole.value)")
      }
      return whole.value
    } catch let error as TimeError {
      throw Failure(.usage, "distance '\(text)': \(error)")
    }
  }
}
