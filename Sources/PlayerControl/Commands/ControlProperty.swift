// SPDX-License-Identifier: Apache-2.0
package import JSONText
internal import MusicalTime

/// The properties of a player that other programs can read, and some of which they can set, by
/// name.
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

  /// A description of the property, with its unit.
  package var help: String {
    switch self {
    case .kind: "player type: song, sound, synth or clock"
    case .state: "playing, paused, stopped, or waiting for a master"
    case .pause: "true if paused; can be set"
    case .path: "path of the file, as given"
    case .title: "title of the song"
    case .playlist: "the current file and its neighbours in the list"
    case .position: "position in seconds; can be set, in any time format"
    case .remaining: "seconds to the end"
    case .percent: "position in percent of the length; can be set"
    case .duration: "length in seconds"
    case .tick: "position in ticks of the file"
    case .bar: "position as bar.beat.part, with 480 parts per beat"
    case .tempo: "quarter notes per minute, including the play rate"
    case .meter: "current time signature"
    case .key: "current key"
    case .marker: "name of the last marker passed"
    case .markers: "all markers, with times in seconds"
    case .speed: "play rate, 0.1…8 (1: as written); can be set"
    case .volume: "volume in decibels, −60…12; can be set"
    case .transpose: "transposition in semitones, −48…48; can be set"
    case .mute: "muted channels, numbered from 0, 16 per port; can be set"
    case .solo: "soloed channels, numbered from 0, 16 per port; can be set"
    case .loopFirst: "start of the loop in seconds"
    case .loopLast: "end of the loop in seconds"
    case .pass: "completed passes of the loop"
    case .voices: "sounding voices of the synthesiser"
    case .level: "left and right peaks in decibels; −120 is silence"
    case .programs: "programs of a synth's channels, numbered from 0"
    case .index: "number of the current file (0 is the first); can be set"
    case .count: "number of files"
    case .repetition: "repeat mode: no, list or one; can be set"
    case .shuffle: "true if the files are shuffled"
    case .process: "process ID of the player"
    case .version: "version of the player"
    }
  }

  /// The value of the property; null if the player does not have it.
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
