// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// The status of a player; properties that the player does not have are nil.
public struct PlayStatus: Hashable, Sendable {
  /// The kind of player.
  public enum Kind: String, Sendable {
    /// A player of MIDI files.
    case song
    /// A player of sound files and streams.
    case sound
    /// An instrument that plays incoming events.
    case synth
    /// A clock.
    case clock
  }

  /// The state of the transport.
  public enum State: String, Sendable {
    /// The player is playing.
    case playing
    /// The player is paused.
    case paused
    /// The player is paused at the beginning, after `PlayCommand.stop`.
    case stopped
    /// The player is waiting for the start of the master that it follows.
    case waiting
  }

  /// A file of the queue.
  public struct File: Hashable, Sendable {
    /// The index in the queue, from 0.
    public var index: Int
    /// The path, as it was given.
    public var path: String
    /// The title: that of the song or of its playlist entry, otherwise the name of the file.
    public var title: String

    /// Creates a file of the queue.
    public init(index: Int, path: String, title: String = "") {
      (self.index, self.path, self.title) = (index, path, title)
    }
  }

  /// A marker of the song.
  public struct Marker: Hashable, Sendable {
    /// The position in seconds at the written tempo.
    public var seconds: Double
    /// The name of the marker.
    public var name: String

    /// Creates a marker.
    public init(seconds: Double, name: String) { (self.seconds, self.name) = (seconds, name) }
  }

  /// An A-B loop, which repeats the part between two positions; positions are in seconds at the
  /// written tempo.
  public struct Loop: Hashable, Sendable {
    /// The start of the loop (A); nil if it is not set.
    public var start: Double?
    /// The end of the loop (B); nil if it is not set yet.
    public var end: Double?

    /// Creates a loop.
    public init(start: Double?, end: Double?) { (self.start, self.end) = (start, end) }
  }

  /// The kind of player.
  public var kind: Kind
  /// The state of the transport.
  public var state = State.playing
  /// True if a command paused the player.
  public var isPaused = false
  /// True if the player controls start, stop and position; false if it follows a master or does not
  /// have a position.
  public var hasTransport = true
  /// The part of the queue that is repeated; nil if the player does not have a queue.
  public var repetition: SongQueue.Repetition?
  /// True if the queue is shuffled; nil if the player does not have a queue.
  public var isShuffled: Bool?
  /// The number of jumps to another position; each change is reported as a `seek` event.
  public var seekCount = 0
  /// The title of the song or sound; empty if it is not known.
  public var title = ""
  /// The path of the file, as it was given.
  public var path = ""
  /// The index of the current file in the queue, counted from 0.
  public var index = 0
  /// The number of files in the queue; 0 for a player without files.
  public var count = 1
  /// The files of the queue near the current one: for a song, up to 100 files before the current
  /// one and 99 after it.
  public var list: [File] = []
  /// The position in seconds at the written tempo.
  public var seconds: Double?
  /// The length in seconds at the written tempo.
  public var duration: Double?
  /// The position in ticks from the start of the song.
  public var tick: Int64?
  /// The position as bar, beat and 1/480 of a beat, such as `33.2.120`.
  public var bar: String?
  /// The current tempo in quarter notes per minute, including the speed.
  public var tempo: Double?
  /// The time signature at the position, such as `3/4`.
  public var meter: String?
  /// The key signature at the position, such as `E♭ major`.
  public var key: String?
  /// The last marker at or before the position.
  public var marker: String?
  /// The markers of the song, in order.
  public var markers: [Marker]?
  /// The speed as a factor; 1 is as written.
  public var speed: Double?
  /// The volume in decibels; 0 is the volume at the start.
  public var volume: Double?
  /// The transposition in semitones.
  public var transposition: Int?
  /// The muted channels, counted from 0; each port of the song has 16 consecutive numbers.
  public var muted: [Int]?
  /// The soloed channels, counted from 0; each port of the song has 16 consecutive numbers.
  public var soloed: [Int]?
  /// The A-B loop; nil if none is set.
  public var loop: Loop?
  /// The number of passes of the loop that have been completed.
  public var pass: Int?
  /// The number of sounding voices.
  public var voices: Int?
  /// The peak levels of left and right in dBFS; −120 for silence.
  public var level: [Double]?
  /// The programs of the channels, 0…127, in the order of the channels.
  public var programs: [UInt8]?

  /// Creates the status of a player that is playing; all optional properties are nil.
  public init(kind: Kind = .song) { self.kind = kind }

  /// The peaks of two meters in dBFS, −120 for silence.
  package static func decibels(_ level: (left: Level, right: Level)) -> [Double] {
    [level.left, level.right].map { Double(Level.decibels(max($0.peak, 1e-6))) }
  }
}
