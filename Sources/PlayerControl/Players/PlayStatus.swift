// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// The status of a player; properties that it does not have are nil.
package struct PlayStatus {
  /// The kind of player.
  package enum Kind: String {
    case song, sound, synth, clock
  }

  package enum State: String {
    case playing, paused, stopped
    /// Behind a master that stands.
    case waiting
  }

  package var kind: Kind
  package var state = State.playing
  package var isPaused = false
  /// Whether start, stop and place are its own, and not a master's.
  package var isAlone = true
  /// Repetition, and true if the list is shuffled; nil without a list.
  package var repetition: SongQueue.Repetition?
  package var isShuffled: Bool?
  /// How often it was sent to another place.
  package var moves = 0
  package var title = ""
  /// The file as it was named.
  package var path = ""
  /// Its number among the files, from 0, and how many there are; none where it has no files.
  package var index = 0
  package var count = 1
  /// Those near it, each with its number.
  package var list: [(index: Int, path: String, title: String)] = []
  /// The position and the length, in seconds of music at the written tempo.
  package var seconds: Double?
  package var duration: Double?
  package var tick: Int64?
  /// `33.2.120`.
  package var bar: String?
  /// Quarter notes a minute.
  package var tempo: Double?
  package var meter: String?
  package var key: String?
  /// The marker that was passed last.
  package var marker: String?
  package var markers: [(seconds: Double, name: String)]?
  package var speed: Double?
  /// In decibels.
  package var volume: Double?
  package var transposition: Int?
  /// Channels, sixteen for each port, from 0.
  package var muted: [Int]?
  package var soloed: [Int]?
  /// The part that is played over and over, in seconds.
  package var loop: (first: Double?, last: Double?)?
  /// The times round it so far.
  package var pass: Int?
  package var voices: Int?
  /// The peaks of left and right in decibels of full scale.
  package var level: [Double]?
  /// What each channel plays.
  package var programs: [UInt8]?

  package init(kind: Kind = .song) { self.kind = kind }

  /// The peaks of two meters in decibels, of silence too: −120.
  package static func decibels(_ level: (left: Level, right: Level)) -> [Double] {
    [level.left, level.right].map { Double(Level.decibels(max($0.peak, 1e-6))) }
  }
}
