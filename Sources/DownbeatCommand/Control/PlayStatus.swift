// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// What a player does at the moment, as a value; what it does not have is nil.
struct PlayStatus {
  /// What can be led.
  enum Kind: String {
    case song, sound, synth, clock
  }

  enum State: String {
    case playing, paused, stopped
    /// Behind a master that stands.
    case waiting
  }

  var kind = Kind.song
  var state = State.playing
  var isPaused = false
  /// Whether start, stop and place are its own, and not a master's.
  var isAlone = true
  /// What is played again by itself, and whether the order is another than that of the list.
  var repetition: SongQueue.Repetition?
  var isShuffled: Bool?
  /// How often it was sent to another place.
  var moves = 0
  var title = ""
  /// The file as it was named.
  var path = ""
  /// Its number among the files, from 0, and how many there are; none where it has no files.
  var index = 0
  var count = 1
  /// Those near it, each with its number.
  var list: [(index: Int, path: String, title: String)] = []
  /// Where it is, and how long it is, in seconds of music.
  var seconds: Double?
  var duration: Double?
  var tick: Int64?
  /// `33.2.120`.
  var bar: String?
  /// Quarter notes a minute.
  var tempo: Double?
  var meter: String?
  var key: String?
  /// The marker that was passed last.
  var marker: String?
  var markers: [(seconds: Double, name: String)]?
  var speed: Double?
  /// In decibels.
  var volume: Double?
  var transposition: Int?
  /// Channels, sixteen for each port, from 0.
  var muted: [Int]?
  var soloed: [Int]?
  /// The part that is played over and over, in seconds.
  var loop: (first: Double?, last: Double?)?
  /// The times round it so far.
  var pass: Int?
  var voices: Int?
  /// The peaks of left and right in decibels of full scale.
  var level: [Double]?
  /// What each channel plays.
  var programs: [UInt8]?

  /// The peaks of two meters in decibels, of silence too: −120.
  static func decibels(_ level: (left: Level, right: Level)) -> [Double] {
    [level.left, level.right].map { Double(Level.decibels(max($0.peak, 1e-6))) }
  }
}
