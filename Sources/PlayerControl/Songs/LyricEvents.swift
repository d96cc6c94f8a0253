// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MusicSequences
package import MusicalTime

/// The events with the words of a song, all from one track, because several tracks often have the
/// same words.
package struct LyricEvents {
  /// The events and their texts, in order.
  package private(set) var events: [(tick: Tick, text: String)] = []
  /// The texts of `@T` tags.
  package private(set) var titles: [String] = []
  /// True if the words are text events, and the file has `@` tags.
  private(set) var isKaraoke = false
  /// The index of the track with the words; nil for none.
  package private(set) var track: Int?

  private let decoder: TextDecoder

  private struct Found {
    var lyrics: [(tick: Tick, bytes: [UInt8])] = []
    var texts: [(tick: Tick, bytes: [UInt8])] = []
  }

  /// Finds the words of a file.
  ///
  /// - Parameters:
  ///   - file: The events of the file.
  ///   - wanted: The index of the track to use; nil for the one with the most words.
  ///   - decoder: Decodes the texts of the file.
  package init(_ file: FileEvents, track wanted: Int?, _ decoder: TextDecoder) {
    self.decoder = decoder
    var found = [Found](repeating: Found(), count: file.tracks.count)
    for event in file where event.status == 0xFF && (event.data1 == 1 || event.data1 == 5) {
      let bytes = Array(file.payload(of: event))
      if event.data1 == 5 {
        found[Int(event.track)].lyrics.append((event.tick, bytes))
      } else if !takeTag(bytes) {
        found[Int(event.track)].texts.append((event.tick, bytes))
      }
    }
    choose(among: found, wanted)
  }

  /// Records a text that begins with `@`; returns false for other texts.
  private mutating func takeTag(_ bytes: [UInt8]) -> Bool {
    let text = decoder.text(bytes)
    guard text.first == "@" else { return false }
    guard let letter = text.dropFirst().first, "KLTVIW".contains(letter) else { return true }
    isKaraoke = true
    if letter == "T" { titles.append(String(text.dropFirst(2))) }
    return true
  }

  private mutating func choose(among found: [Found], _ wanted: Int?) {
    let choices = found.indices.filter { wanted == nil || $0 == wanted }
    // If several have the most, the first is used.
    let sung = choices.max { found[$0].lyrics.count < found[$1].lyrics.count }
    let written = choices.max { found[$0].texts.count < found[$1].texts.count }
    let hasLyrics = sung.map { !found[$0].lyrics.isEmpty } ?? false
    isKaraoke = isKaraoke || wanted != nil && !hasLyrics
    if isKaraoke, let written, !found[written].texts.isEmpty {
      (track, events) = (written, texts(found[written].texts))
    } else if hasLyrics, let sung {
      (track, events) = (sung, texts(found[sung].lyrics))
      isKaraoke = false
    }
  }

  /// Decodes all events together, because a character may be split between events.
  private func texts(_ events: [(tick: Tick, bytes: [UInt8])]) -> [(tick: Tick, text: String)] {
    let texts = decoder.texts(events.map(\.bytes))
    return zip(events, texts).map { (tick: $0.tick, text: $1) }
  }

  /// True if the syllables contain spaces or do not need them.
  var hasSpaces: Bool {
    events.count < 2 || isKaraoke
      || events.contains { $0.text.first == " " || $0.text.last == " " }
      || events.contains { $0.text.utf8.contains { $0 > 127 } }
  }
}
