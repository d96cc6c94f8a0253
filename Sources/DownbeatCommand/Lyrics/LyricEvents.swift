// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

/// The events of a file that hold its words: of one track, for several often say the same.
struct LyricEvents {
  /// The events and their bytes, in order.
  private(set) var events: [(tick: Tick, bytes: [UInt8])] = []
  /// What `@T` tags say.
  private(set) var titles: [[UInt8]] = []
  /// Whether the words are text events with `@` tags among them.
  private(set) var isKaraoke = false
  /// The index of the track they are in.
  private(set) var track: Int?

  private struct Found {
    var lyrics: [(tick: Tick, bytes: [UInt8])] = []
    var texts: [(tick: Tick, bytes: [UInt8])] = []
  }

  /// Looks for the words of a file.
  ///
  /// - Parameters:
  ///   - file: the events of the file.
  ///   - wanted: the index of a track to take them from; nil for the one with the most.
  init(_ file: FileEvents, track wanted: Int?) {
    var found = [Found](repeating: Found(), count: file.tracks.count)
    for event in file where event.status == 0xFF && (event.data1 == 1 || event.data1 == 5) {
      let bytes = Array(file.payload(of: event))
      if event.data1 == 5 {
        found[Int(event.track)].lyrics.append((event.tick, bytes))
      } else if bytes.first == UInt8(ascii: "@") {
        takeTag(bytes)
      } else {
        found[Int(event.track)].texts.append((event.tick, bytes))
      }
    }
    choose(among: found, wanted)
  }

  private mutating func takeTag(_ bytes: [UInt8]) {
    guard bytes.count > 1, Array("KLTVIW".utf8).contains(bytes[1]) else { return }
    isKaraoke = true
    if bytes[1] == UInt8(ascii: "T") { titles.append(Array(bytes.dropFirst(2))) }
  }

  private mutating func choose(among found: [Found], _ wanted: Int?) {
    let choices = found.indices.filter { wanted == nil || $0 == wanted }
    // Of several with the most it is the first.
    let sung = choices.max { found[$0].lyrics.count < found[$1].lyrics.count }
    let written = choices.max { found[$0].texts.count < found[$1].texts.count }
    let hasLyrics = sung.map { !found[$0].lyrics.isEmpty } ?? false
    isKaraoke = isKaraoke || wanted != nil && !hasLyrics
    if isKaraoke, let written, !found[written].texts.isEmpty {
      (track, events) = (written, found[written].texts)
    } else if hasLyrics, let sung {
      (track, events) = (sung, found[sung].lyrics)
      isKaraoke = false
    }
  }

  /// All bytes, to tell the encoding by.
  var bytes: [UInt8] { events.flatMap(\.bytes) + titles.flatMap { $0 } }

  /// Whether syllables bring their own spaces, or one alone needs none.
  var hasSpaces: Bool {
    events.count < 2 || isKaraoke
      || events.contains { $0.bytes.first == 0x20 || $0.bytes.last == 0x20 }
      || events.contains { $0.bytes.contains { $0 > 127 } }
  }
}
