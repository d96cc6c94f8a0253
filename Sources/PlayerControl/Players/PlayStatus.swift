// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// The status of a player; properties that it does not have are nil.
public struct PlayStatus: Hashable, Sendable {
  /// The kind of player.
  public enum Kind: String, Sendable {
    /// A MIDI file.
    case song
    /// A sound file or stream.
    case sound
    /// An instrument that plays incoming events.
    case synth
    /// A clock.
    case clock
  }

  /// The state of the transport.
  public enum State: String, Sendable {
    /// Running.
    case playing
    /// Paused.
    case paused
    /// Paused at the beginning by `PlayCommand.stop`.
    case stopped
    /// Waiting for the master that it follows.
    case waiting
  }

  /// A file of the queue.
  public struct File: Hashable, Sendable {
    /// The index in the queue, from 0.
    public var index: Int
    /// The path, as it was given.
    public var path: String
    /// The title: of the song, of its entry in the playlist, or the name of the file.
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
    /// The text.
    public var name: String

    /// Creates a marker.
    public init(seconds: Double, name: String) { (self.seconds, self.name) = (seconds, name) }
  }

  /// An A-B loop, in seconds at the written tempo.
  public struct Loop: Hashable, Sendable {
    /// A; nil if it is not set.
    public var start: Double?
    /// B; nil if it is not set yet.
    public var end: Double?

    /// Creates a loop.
    public init(start: Double?, end: Double?) { (self.start, self.end) = (start, end) }
  }

  /// The kind of player.
  public var kind: Kind
  /// The state of the transport.
  public var state = State.playing
  /// True if a command paused it.
  public var isPaused = false
  /// True if the player controls start, stop and position; false if it follows a master or does not
  /// have a position.
  public var hasTransport = true
  /// The part of the queue that is repeated; nil without a queue.
  public var repetition: SongQueue.Repetition?
  /// True if the queue is shuffled; nil without a queue.
  public var isShuffled: Bool?
  /// The number of locates so far; a change is reported as a `seek` event.
  public var seekCount = 0
  /// The title of the song or sound; empty if it is not known.
  public var title = ""
  /// The path of the file, as it was given.
  public var path = ""
  /// The index of the file in the queue, from 0.
  public var index = 0
  /// The number of files in the queue; 0 for a player without files.
  public var count = 1
  /// The files of the queue near the current one: a song reports up to 100 before and 99 after it.
  public var list: [File] = []
  /// The position in seconds at the written tempo.
  public var seconds: Double?
  /// The length in seconds at the written tempo.
  public var duration: Double?
  /// The position in ticks.
  public var tick: Int64?
  /// The position as bar, beat and 1/480 of a beat: `33.2.120`.
  public var bar: String?
  /// The audible tempo in quarter notes per minute.
  public var tempo: Double?
  /// The time signature at the position: `3/4`.
  public var meter: String?
  /// The key at the position: `E♭ major`.
  public var key: String?
  /// The last marker at or before the position.
  public var marker: String?
  /// The markers in order.
  public var markers: [Marker]?
  /// The speed as a factor; 1 is as written.
  public var speed: Double?
  /// The volume in decibels; 0 is the volume at the start.
  public var volume: Double?
  /// The transposition in semitones.
  public var transposition: Int?
  /// The muted channels, counted from 0, with 16 for each port.
  public var muted: [Int]?
  /// The soloed channels, counted from 0, with 16 for each port.
  public var soloed: [Int]?
  /// The A-B loop; nil for none.
  public var loop: Loop?
  /// The number of completed loop passes.
  public var pass: Int?
  /// The number of sounding voices.
  public var voices: Int?
  /// The peak levels of left and right in dBFS, −120 for silence.
  public var level: [Double]?
  /// The programs of the channels, 0…127.
  public var programs: [UInt8]?

  /// Creates the status of a player that is playing, without optional properties.
  public init(kind: Kind = .song) { self.kind = kind }

  /// The peaks of two meters in dBFS, −120 for silence.
  package static func decibels(_ level: (left: Level, right: Level)) -> [Double] {
    [level.left, level.right].map { Double(Level.decibels(max($0.peak, 1e-6))) }
  }
}
