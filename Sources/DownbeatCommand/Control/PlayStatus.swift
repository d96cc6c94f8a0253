// SPDX-License-Identifier: Apache-2.0

/// What a player does at the moment, as a value; what it does not have is nil.
struct PlayStatus {
  enum State: String {
    case playing, paused, stopped
    /// Behind a master that stands.
    case waiting
  }

  var state = State.playing
  var isPaused = false
  /// Whether start, stop and place are its own, and not a master's.
  var isAlone = true
  /// What is played again by itself, and whether the order is another than that of the list.
  var repetition = SongQueue.Repetition.no
  var isShuffled = false
  /// How often it was sent to another place.
  var moves = 0
  var title = ""
  /// The file as it was named.
  var path = ""
  /// Its number among the files, from 0, and how many there are.
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
  /// Bit n for channel index n.
  var muted: UInt16?
  var soloed: UInt16?
  /// The part that is played over and over, in seconds.
  var loop: (first: Double?, last: Double?)?
  /// The times round it so far.
  var pass: Int?
  var voices: Int?
}

/// What can be led from outside: it does commands, and says what it does.
protocol ControlTarget: AnyObject {
  var status: PlayStatus { get }
  /// Whether it goes to another song, or ends: nothing more is done to this one.
  var hasMoved: Bool { get }

  /// Does a command.
  ///
  /// - Throws: why it cannot.
  func obey(_ command: PlayCommand) throws
}
