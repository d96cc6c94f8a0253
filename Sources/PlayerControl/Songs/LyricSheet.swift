// SPDX-License-Identifier: Apache-2.0
package import Downbeat
internal import JSONText
package import MusicSequences
package import MusicalTime

/// The words of a song: lines of syllables, each with its time.
///
/// Words are the lyric events of one track, or, in a Karaoke file (one with `@` tags), the text
/// events of the track with the words. As in Karaoke files, a line begins at `/` and a paragraph at
/// `\`. In lyric events, a carriage return ends a line and a line feed a paragraph. Without such
/// marks, a pause of 1.5 s ends a line.
///
/// Source: SMF Lyric Meta Event (RP-017), SMF Lyric Events Display (RP-026); Tune 1000, KAR.
package struct LyricSheet {
  /// The lines, in order; empty lines are omitted.
  package private(set) var lines: [Line] = []
  /// The texts of the file's title tags, such as title and author, in order.
  package private(set) var titles: [String] = []

  private static let pause: Int64 = 1_500_000_000

  /// A line of words.
  package struct Line {
    package var beginsParagraph: Bool
    package var syllables: [Syllable] = []

    package var text: String { trimmed(syllables.map(\.text).joined()) }
    package var start: Int64 { syllables.first?.nanoseconds ?? 0 }
    package var end: Int64 { syllables.last?.nanoseconds ?? 0 }
  }

  /// A part of a word, with the time at which it is sung.
  package struct Syllable {
    package var nanoseconds: Int64
    package var text: String
  }

  /// Collects the words of a sequence.
  ///
  /// - Parameters:
  ///   - words: The events with the words.
  ///   - map: The tempo map.
  /// - Throws: `ControlError.Kind.badData` if the time of a word does not fit 64 bits (292 years).
  package init(_ words: LyricEvents, _ map: TempoMap) throws(ControlError) {
    titles = words.titles.map { trimmed(Printable.stripped($0)) }
    var cursor = map.makeCursor()
    var mark = Mark.none
    var isMarked = false
    for event in words.events {
      let time: Int64
      do {
        time = try cursor.mediaTime(at: event.tick, rounding: .nearest).value.nanoseconds
      } catch {
        throw ControlError(.badData, "tick \(event.tick.value): \(error)")
      }
      for piece in Self.pieces(event.text, isKaraoke: words.isKaraoke) {
        mark = max(mark, piece.mark)
        guard !piece.text.isEmpty else { continue }
        isMarked = isMarked || mark != .none && !lines.isEmpty
        append(Syllable(nanoseconds: time, text: piece.text), mark)
        mark = .none
      }
    }
    if !words.hasSpaces { joinSyllables() }
    if !isMarked { breakAtPauses() }
    lines = lines.filter { !$0.text.isEmpty }
  }

  private enum Mark: Int, Comparable {
    case none, line, paragraph
    static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }
  }

  private mutating func append(_ syllable: Syllable, _ mark: Mark) {
    if mark != .none || lines.isEmpty {
      lines.append(Line(beginsParagraph: mark == .paragraph && !lines.isEmpty))
    }
    lines[lines.count - 1].syllables.append(syllable)
  }

  /// Splits a text at line marks; each piece has the mark before it.
  private static func pieces(_ text: String, isKaraoke: Bool) -> [(mark: Mark, text: String)] {
    var pieces: [(mark: Mark, text: String)] = [(.none, "")]
    var isFirst = true
    for scalar in withoutTags(text).unicodeScalars {
      switch scalar {
      case "\\" where isFirst: pieces.append((.paragraph, ""))
      case "/" where isFirst: pieces.append((.line, ""))
      case "\r": pieces.append((.line, ""))
      case "\n": pieces.append((isKaraoke ? .line : .paragraph, ""))
      case _ where Printable.isSteering(scalar): continue
      default: pieces[pieces.count - 1].text.unicodeScalars.append(scalar)
      }
      isFirst = false
    }
    return pieces
  }

  /// The text without the tags of RP-026, such as `{@LATIN}` and `{#Title=…}`.
  private static func withoutTags(_ text: String) -> String {
    guard text.hasPrefix("{@") || text.hasPrefix("{#"), let end = text.firstIndex(of: "}") else {
      return text
    }
    return withoutTags(String(text[text.index(after: end)...]))
  }

  /// Adds a space after each syllable, or removes the hyphen at its end.
  private mutating func joinSyllables() {
    for line in lines.indices {
      for index in lines[line].syllables.indices {
        let text = lines[line].syllables[index].text
        lines[line].syllables[index].text =
          text.hasSuffix("-") ? String(text.dropLast()) : text + " "
      }
    }
  }

  private mutating func breakAtPauses() {
    var broken: [Line] = []
    var last = Int64.min
    for syllable in lines.flatMap(\.syllables) {
      if broken.isEmpty || syllable.nanoseconds - last >= Self.pause {
        broken.append(Line(beginsParagraph: false))
      }
      broken[broken.count - 1].syllables.append(syllable)
      last = syllable.nanoseconds
    }
    lines = broken
  }
}

/// The text without spaces around it.
private func trimmed(_ text: String) -> String {
  let inner = text.drop { $0.isWhitespace }
  return String(inner.reversed().drop { $0.isWhitespace }.reversed())
}

extension LyricSheet {
  /// Reads the words of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - track: The track, from 0; nil for the one with the most words.
  ///   - decoder: Decodes the texts.
  /// - Throws: `SequenceError` or `ControlError` if the times do not fit.
  package init(of file: SequenceFile, track: Int?, _ decoder: TextDecoder) throws {
    let words = LyricEvents(try FileEvents(file), track: track, decoder)
    let patterns = file.sequences
    let index = patterns.count > 1 ? words.track ?? 0 : 0
    let map =
      try patterns.indices.contains(index)
      ? patterns[index].tempoMap : MusicSequence(division: file.division).tempoMap
    try self.init(words, map)
  }
}
