// SPDX-License-Identifier: Apache-2.0
package import JSONText
internal import MusicalTime

/// What other programs can read of a player, and of some of it change, by its name.
package enum ControlProperty: String, CaseIterable {
  case kind, state, pause, path, title, playlist
  case position = "time-pos"
  case remaining = "time-remaining"
  case percent = "percent-pos"
  case duration, tick, bar, tempo, meter, key, marker, markers
  case speed, volume, transpose, mute, solo
  case loopFirst = "loop-a"
  case loopLast = "loop-b"
  case pass, voices, level, programs
  case index = "playlist-pos"
  case count = "playlist-count"
  case repetition = "repeat"
  case shuffle
  case process = "pid"
  case version

  /// What it is, with its unit.
  package var help: String {
    switch self {
    case .kind: "what is led: song, sound, synth, clock"
    case .state: "playing, paused, stopped, or waiting for a master"
    case .pause: "whether it is paused; can be set"
    case .path: "the file as it was named"
    case .title: "the song's title"
    case .playlist: "the files near the one that plays"
    case .position: "seconds from the beginning; can be set, to any time"
    case .remaining: "seconds to the end"
    case .percent: "the place in percent of the length; can be set"
    case .duration: "the length in seconds"
    case .tick: "the place in ticks of the file"
    case .bar: "the place as bar.beat.part, of 480 parts"
    case .tempo: "quarter notes a minute, as it is heard"
    case .meter: "the time signature there"
    case .key: "the key there"
    case .marker: "the marker passed last"
    case .markers: "all markers, each with its time in seconds"
    case .speed: "1 as it is written, 0.1…8; can be set"
    case .volume: "decibels, −60…12; can be set"
    case .transpose: "semitones, −48…48; can be set"
    case .mute: "channels that are mute, from 0, 16 for each port; can be set"
    case .solo: "channels played alone, from 0, 16 for each port; can be set"
    case .loopFirst: "where the repeated part begins, in seconds"
    case .loopLast: "where it ends, in seconds"
    case .pass: "the times round it so far"
    case .voices: "the synthesiser's voices that sound"
    case .level: "the peaks of left and right, in decibels; −120 in silence"
    case .programs: "a synth's programs, one a channel, from 0"
    case .index: "the number of the file, from 0; can be set"
    case .count: "how many files there are"
    case .repetition: "what is played again: no, list, one; can be set"
    case .shuffle: "whether the files are in another order"
    case .process: "the player's process"
    case .version: "the player's version"
    }
  }

  /// Its value, null where the player has none.
  package func value(of status: PlayStatus) -> JSONValue {
    switch self {
    case .kind: .text(status.kind.rawValue)
    case .state: .text(status.state.rawValue)
    case .pause: .bool(status.isPaused)
    case .path: status.count > 0 ? .path(status.path) : .null
    case .title: .text(status.title)
    case .playlist: Self.list(status)
    case .index: status.count > 0 ? .integer(status.index) : .null
    case .count: .integer(status.count)
    case .repetition: Self.text(status.repetition?.rawValue)
    case .shuffle: status.isShuffled.map { .bool($0) } ?? .null
    case .process: .integer(Int(ControlSocket.ownProcess))
    case .version: .text(Version.text)
    case .mute: Self.channels(status.muted)
    case .solo: Self.channels(status.soloed)
    default: placeValue(of: status)
    }
  }

  private func placeValue(of status: PlayStatus) -> JSONValue {
    switch self {
    case .position: Self.number(status.seconds)
    case .duration: Self.number(status.duration)
    case .remaining: Self.number(status.remaining)
    case .percent: Self.number(status.percent)
    case .tick: status.tick.map { .integer(Int($0)) } ?? .null
    case .bar: Self.text(status.bar)
    case .tempo: Self.number(status.tempo)
    case .meter: Self.text(status.meter)
    case .key: Self.text(status.key)
    case .marker: Self.text(status.marker)
    case .markers: Self.markers(status)
    case .speed: Self.number(status.speed)
    case .volume: Self.number(status.volume)
    case .transpose: Self.integer(status.transposition)
    case .loopFirst: Self.number(status.loop?.start)
    case .loopLast: Self.number(status.loop?.end)
    case .pass: Self.integer(status.pass)
    case .voices: Self.integer(status.voices)
    case .level: status.level.map { .array($0.map(Self.number)) } ?? .null
    case .programs: status.programs.map { .array($0.map { .integer(Int($0)) }) } ?? .null
    default: .null
    }
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

  private static func integer(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }

  private static func number(_ value: Double?) -> JSONValue {
    value.map { .decimal($0.decimal(3)) } ?? .null
  }

  private static func channels(_ channels: [Int]?) -> JSONValue {
    channels.map { .array($0.map { .integer($0) }) } ?? .null
  }

  private static func list(_ status: PlayStatus) -> JSONValue {
    .array(
      status.list.map { file in
        .object([
          ("index", .integer(file.index)), ("path", .path(file.path)), ("title", .text(file.title)),
          ("current", .bool(file.index == status.index)),
        ])
      })
  }

  private static func markers(_ status: PlayStatus) -> JSONValue {
    guard let markers = status.markers else { return .null }
    return .array(
      markers.map { .object([("time", number($0.seconds)), ("name", .text($0.name))]) })
  }
}

extension PlayStatus {
  fileprivate var remaining: Double? {
    duration.flatMap { duration in seconds.map { max(duration - $0, 0) } }
  }

  fileprivate var percent: Double? {
    duration.flatMap { duration in seconds.map { duration > 0 ? $0 / duration * 100 : 0 } }
  }
}
