// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicSequences
internal import MusicalTime

/// A place in a song, in the one TIME grammar.
struct EditPlace {
  let text: String
  private let expression: TimeExpression

  init(parsing text: String) throws {
    self.text = text
    do {
      expression = try TimeExpression(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The tick of the place.
  func tick(in sequence: MusicSequence, rounding: Rounding) throws -> Tick {
    do {
      let context = try TimeContext(of: sequence)
      let ticks = try context.ticks(of: context.position(of: expression))
      return Tick(try ticks.rounded(rounding, unit: "ticks").value)
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }
}

/// A half-open range of times, `FROM..TO`, either of which may be left out.
struct EditRange {
  static let everything = EditRange()

  private let text: String
  private let start: EditPlace?
  private let end: EditPlace?

  private init() {
    (text, start, end) = ("..", nil, nil)
  }

  init(parsing text: String) throws {
    self.text = text
    guard let dots = text.firstRange(of: "..") else {
      throw ValidationError("range '\(text)': write FROM..TO (5|1..9|1, 30s.., ..@chorus)")
    }
    let first = String(text[..<dots.lowerBound])
    let last = String(text[dots.upperBound...])
    start = first.isEmpty ? nil : try EditPlace(parsing: first)
    end = last.isEmpty ? nil : try EditPlace(parsing: last)
  }

  /// Whether neither end is given.
  var isEverything: Bool { start == nil && end == nil }

  /// The ticks in the range: those at or after its start and before its end, exactly.
  func ticks(in sequence: MusicSequence) throws -> Range<Tick> {
    let first = try start?.tick(in: sequence, rounding: .ceil) ?? .zero
    let last = try end?.tick(in: sequence, rounding: .ceil) ?? Tick(.max)
    guard first <= last else {
      throw Failure(.usage, "range '\(text)' ends before it begins")
    }
    return first..<last
  }
}

/// A distance in music: a note value (`1/4`, of a grid also `1/8t` and `1/8.`), quarter notes or
/// ticks.
struct EditDistance {
  private enum Length {
    case quarters(Ratio)
    case ticks(Ratio)
    case seconds(Ratio)
  }

  private let text: String
  private let length: Length

  init(_ words: inout EditWords, _ what: String, isGrid: Bool = false) throws {
    try self.init(parsing: words.takeValue(what), isGrid: isGrid)
  }

  init(parsing text: String, isGrid: Bool) throws {
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
      default: throw ValidationError("'\(text)' is no distance (1/4, 2b, 120t)")
      }
    } catch let error as TimeError {
      throw ValidationError("distance: \(error)")
    }
  }

  /// Whether the distance is longer than nothing.
  var isAboveZero: Bool {
    switch length {
    case .quarters(let value), .ticks(let value), .seconds(let value): value > 0
    }
  }

  /// Quarter notes of a note value; nil where the text is none.
  private static func noteValue(_ text: String, isGrid: Bool) throws -> Ratio? {
    var digits = text
    var factor = Ratio(4)
    if isGrid, digits.hasSuffix("t"), digits.contains("/") {
      digits.removeLast()
      factor = Ratio(8, over: 3)
    } else if isGrid, digits.hasSuffix("."), digits.contains("/") {
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

  /// The distance in ticks of a sequence and their fractions.
  func ticks(in sequence: MusicSequence) throws -> Ratio {
    do {
      switch (length, sequence.division) {
      case (.ticks(let ticks), _): return ticks
      case (.quarters(let quarters), .ppqn(let resolution)):
        return try quarters * Ratio(Int64(resolution.ticks))
      case (.seconds(let seconds), .smpte):
        return try seconds * (sequence.division.ticksPerSecond ?? 0)
      case (.quarters, .smpte):
        throw Failure(
          .usage, "distance '\(text)': this song counts seconds, not notes (write 40t or 500ms)")
      case (.seconds, .ppqn):
        throw Failure(
          .usage, "distance '\(text)': seconds change with the tempo (write 1/4, 2b or 120t)")
      }
    } catch let error as TimeError {
      throw Failure(.usage, "distance '\(text)': \(error)")
    }
  }

  /// The distance in whole ticks, the nearest.
  func wholeTicks(in sequence: MusicSequence) throws -> Int64 {
    do {
      return try ticks(in: sequence).rounded(.nearest, unit: "ticks").value
    } catch let error as TimeError {
      throw Failure(.usage, "distance '\(text)': \(error)")
    }
  }
}

/// Tracks by number from 1: `2`, `1,3-5`.
struct TrackList {
  /// Indices from 0.
  let indices: [Int]

  init(parsing text: String) throws {
    var found: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard let first = ends.first, let last = ends.last, ends.count <= 2, first > 0,
        last >= first, last <= 65535
      else {
        throw ValidationError("tracks '\(text)': numbers from 1 and ranges (2, 1,3-5)")
      }
      found += first - 1..<last
    }
    indices = found
  }
}
