// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import SoundFontInstruments

/// The notes and presets that soundfonts lack for a song, as text and as JSON.
extension FontFit {
  /// The maximum number of keys in one sentence.
  private static let listed = 6

  /// True if a note is silent, or is played by a replacement for its preset.
  var isFaulty: Bool { !missing.isEmpty || !unplayable.isEmpty }

  /// Returns one sentence for each preset that is missing, and for each that lacks samples for
  /// notes.
  ///
  /// - Parameter keys: The notation of keys.
  /// - Returns: The sentences, without the name of the song.
  func sentences(keys: KeyWords = KeyWords()) -> [String] {
    missing.map(\.sentence) + groups.map { Self.sentence($0, keys) }
  }

  /// The silent notes of a preset on a channel, for one reason, in order of key.
  private var groups: [[UnplayableNotes]] {
    var order: [[Int]] = []
    var groups: [[Int]: [UnplayableNotes]] = [:]
    // A missing preset is reported in a separate sentence.
    for notes in unplayable where notes.reason != .preset {
      let name = [
        Int(notes.port), Int(notes.channel.index), notes.bank, notes.program,
        notes.reason == .key ? 0 : 1,
      ]
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(notes)
    }
    return order.compactMap { groups[$0]?.sorted { $0.key < $1.key } }
  }

  private static func sentence(_ group: [UnplayableNotes], _ words: KeyWords) -> String {
    guard let first = group.first else { return "" }
    let count = group.reduce(0) { $0 + $1.count }
    let namesake: Channel = first.bank >= 126 ? .percussion : Channel(index: 0)
    let names = group.prefix(listed).map { words.text($0.key, on: namesake) }
    let more = group.count > listed ? ", …" : ""
    let channel = first.port > 0 ? "\(first.port + 1):" : ""
    let lack =
      first.reason == .velocity
      ? "at this velocity" : group.count == 1 ? "at this key" : "at these keys"
    return "channel \(channel)\(Int(first.channel.index) + 1): "
      + "\(count.counted("note")) of \(MissingPreset.words(first.bank, first.program))"
      + " \(count == 1 ? "is" : "are") silent (no sample \(lack)): "
      + names.joined(separator: ", ") + more
  }

  /// Returns the silent notes as JSON documents, one for each key.
  ///
  /// The first member is the name of the song, if it is given.
  func unplayableJSON(of song: String? = nil) -> [JSONValue] {
    unplayable.map { notes in
      var members: JSONReport.Members = song.map { [("song", .path($0))] } ?? []
      members += [
        ("port", .integer(Int(notes.port))), ("channel", .integer(Int(notes.channel.index))),
        ("bank", .integer(notes.bank)), ("program", .integer(notes.program)),
        ("key", .integer(Int(notes.key.number))), ("notes", .integer(notes.count)),
        ("firstTick", .integer(Int(notes.firstTick.value))),
        ("reason", .text(notes.reason.rawValue)),
      ]
      return .object(members)
    }
  }
}
