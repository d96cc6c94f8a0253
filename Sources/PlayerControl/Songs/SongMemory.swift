// SPDX-License-Identifier: Apache-2.0
package import JSONText
internal import MusicSequences

/// The state that is kept between runs: the settings of songs, and the positions in lists.
///
/// A value and a JSON document. The last 500 songs are kept, so the document has less than 100 kB,
/// not counting the names in a list.
package struct SongMemory: Equatable {
  /// The settings that the user made for a song.
  package struct Setting: Equatable {
    /// The transposition in semitones, −48…48.
    package var transposition = 0
    package var channels = HeardChannels()
    /// The volume in decibels, −60…12, in tenths.
    package var volume = 0.0

    package init(
      transposition: Int = 0, channels: HeardChannels = HeardChannels(), volume: Double = 0
    ) {
      (self.transposition, self.channels, self.volume) = (transposition, channels, volume)
    }
  }

  /// The position at which a list of songs was left.
  package struct Place: Equatable {
    /// The arguments that named the songs, with absolute paths.
    package var words: [String]
    /// The seed of the shuffled order; nil if the list was not shuffled.
    package var seed: UInt64?
    /// The index of the song in the order, and its path.
    package var index: Int
    package var path: String
    /// The key of the song (see `key(of:)`), and its tick.
    package var key: String
    package var tick: Int64

    package init(
      words: [String], seed: UInt64?, index: Int, path: String, key: String, tick: Int64
    ) {
      (self.words, self.seed, self.index) = (words, seed, index)
      (self.path, self.key, self.tick) = (path, key, tick)
    }
  }

  /// The position at which a list of sound files was left.
  package struct SoundPlace: Equatable {
    /// The files, as absolute paths.
    package var words: [String]
    /// The index of the file in the list, and its path.
    package var index: Int
    package var path: String
    /// The position in the file in milliseconds.
    package var milliseconds: Int64

    package init(words: [String], index: Int, path: String, milliseconds: Int64) {
      (self.words, self.index) = (words, index)
      (self.path, self.milliseconds) = (path, milliseconds)
    }

    /// The index of the file in another list; nil if the list does not contain it.
    package func index(in files: [String]) -> Int? {
      let paths = files.map(SongEntry.absolute)
      return paths.indices.contains(index) && paths[index] == path
        ? index : paths.firstIndex(of: path)
    }
  }

  /// The maximum number of songs that are kept.
  package static let mostSongs = 500
  /// The maximum number of names of a list that are kept.
  package static let mostWords = 10_000

  /// The position at which a list of songs was left; nil for none.
  package var place: Place?
  /// The position at which a list of sound files was left; nil for none.
  package var soundPlace: SoundPlace?
  /// The songs by their keys, the one set last at the end.
  private var songs: [(key: String, setting: Setting)] = []

  package init() {}

  package static func == (left: SongMemory, right: SongMemory) -> Bool {
    left.place == right.place && left.soundPlace == right.soundPlace
      && left.songs.elementsEqual(right.songs) { $0 == $1 }
  }

  /// The identifier of a song's content, independent of its name: 64-bit FNV-1a of its bytes, and
  /// its length.
  ///
  /// - Complexity: O(n) in the number of bytes.
  package static func key(of song: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in song { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(String(hash, radix: 16))-\(song.count)"
  }

  /// The settings of a song; the default settings if none are stored.
  package subscript(key: String) -> Setting {
    get { songs.first { $0.key == key }?.setting ?? Setting() }
    set {
      songs.removeAll { $0.key == key }
      if newValue != Setting() { songs.append((key, newValue)) }
      songs.removeFirst(max(0, songs.count - Self.mostSongs))
    }
  }
}

extension SongMemory.Setting: CustomStringConvertible {
  /// The settings that differ from the defaults, such as
  /// `transpose +2, volume −2 dB, muted channels`.
  package var description: String {
    var parts: [String] = []
    if transposition != 0 { parts.append("transpose \(transposition.signed)") }
    if volume != 0 { parts.append("volume \(volume.decimal(1).replacing("-", with: "−")) dB") }
    if channels.muted != PortChannels.none { parts.append("muted channels") }
    if channels.soloed != PortChannels.none { parts.append("solo channels") }
    return parts.isEmpty ? "as written" : parts.joined(separator: ", ")
  }
}

// Conversion from and to a JSON document.
extension SongMemory {
  private static let type = "play-memory"

  /// Reads a document; values that are damaged or out of range are ignored.
  package init(_ document: JSONValue) {
    guard document["type"]?.string == Self.type, document["v"]?.wholeNumber == 1 else { return }
    for song in (document["songs"]?.elements ?? []).suffix(Self.mostSongs) {
      guard let key = song["key"]?.string, let setting = Setting(song) else { continue }
      self[key] = setting
    }
    place = document["place"].flatMap(Place.init)
    soundPlace = document["soundPlace"].flatMap(SoundPlace.init)
  }

  /// The document.
  package var document: JSONValue {
    .object([
      ("v", 1), ("type", .text(Self.type)), ("place", place?.document ?? .null),
      ("soundPlace", soundPlace?.document ?? .null),
      ("songs", .array(songs.map { $0.setting.document(of: $0.key) })),
    ])
  }
}

extension SongMemory.Setting {
  fileprivate init?(_ value: JSONValue) {
    let transposition = value["transpose"]?.wholeNumber ?? 0
    let volume = value["volume"]?.scalarText.flatMap { Double($0) } ?? 0
    guard (-48...48).contains(transposition), (-60...12).contains(volume),
      let muted = Self.channels(value["muted"]), let soloed = Self.channels(value["soloed"])
    else { return nil }
    self.init(
      transposition: Int(transposition), channels: HeardChannels(muted: muted, soloed: soloed),
      volume: volume)
  }

  /// Reads channels: a number whose bit n is channel index n of every port, or a list with such a
  /// number for each port; nil if they are damaged.
  private static func channels(_ value: JSONValue?) -> PortChannels? {
    guard let value else { return PortChannels.none }
    guard let list = value.elements else {
      return value.wholeNumber.flatMap { UInt16(exactly: $0) }.map { PortChannels($0) }
    }
    guard list.count <= TrackPorts.limit else { return nil }
    var channels = PortChannels.none
    for (port, value) in list.enumerated() {
      guard let mask = value.wholeNumber.flatMap({ UInt16(exactly: $0) }) else { return nil }
      channels[port] = mask
    }
    return channels
  }

  private static func document(of channels: PortChannels) -> JSONValue {
    let masks = (0..<TrackPorts.limit).map { channels[$0] }
    guard Set(masks).count > 1, let last = masks.lastIndex(where: { $0 != 0 }) else {
      return .integer(Int(masks[0]))
    }
    return .array(masks[...last].map { .integer(Int($0)) })
  }

  fileprivate func document(of key: String) -> JSONValue {
    .object([
      ("key", .text(key)), ("transpose", .integer(transposition)),
      ("muted", Self.document(of: channels.muted)),
      ("soloed", Self.document(of: channels.soloed)),
      ("volume", .decimal(volume.decimal(1))),
    ])
  }
}

extension SongMemory.Place {
  fileprivate init?(_ value: JSONValue) {
    guard let words = value["words"]?.elements?.compactMap(\.fileName),
      let index = value["index"]?.wholeNumber, index >= 0, let path = value.fileName("path"),
      let key = value["key"]?.string, let tick = value["tick"]?.wholeNumber, tick >= 0
    else { return nil }
    self.init(
      words: words, seed: value["seed"]?.scalarText.flatMap { UInt64($0) }, index: Int(index),
      path: path, key: key, tick: tick)
  }

  fileprivate var document: JSONValue {
    .object([
      ("words", .array(words.map(JSONValue.path))),
      ("seed", seed.map { .decimal("\($0)") } ?? .null), ("index", .integer(index)),
      ("path", .path(path)), ("key", .text(key)), ("tick", .integer(Int(tick))),
    ])
  }
}

extension SongMemory.SoundPlace {
  fileprivate init?(_ value: JSONValue) {
    guard let words = value["words"]?.elements?.compactMap(\.fileName),
      let index = value["index"]?.wholeNumber, index >= 0, let path = value.fileName("path"),
      let time = value["milliseconds"]?.wholeNumber, time >= 0
    else { return nil }
    self.init(words: words, index: Int(index), path: path, milliseconds: time)
  }

  fileprivate var document: JSONValue {
    .object([
      ("words", .array(words.map(JSONValue.path))), ("index", .integer(index)),
      ("path", .path(path)), ("milliseconds", .integer(Int(milliseconds))),
    ])
  }
}
