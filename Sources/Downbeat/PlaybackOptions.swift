// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// How a playback begins.
public struct PlaybackOptions: Sendable {
  /// Where it begins; the first tick by default.
  public var start: Tick = .zero
  /// Whether it begins by itself; if not, everything is ready and `start` begins it; true by
  /// default.
  public var startsAtOnce = true
  /// True if it lasts to the end of the longest track, silence included; false, the default, if it
  /// ends when its last note is released.
  public var playsToEnd = false
  /// How much faster than written the music runs, above 0 to 32; 1 by default.
  public var playRate: Ratio = 1
  /// The part that is played over and over.
  public var loop: LoopRange?
  /// Whether notes that sound at the place a move leads to are struck there; false by default.
  public var restartsHeldNotes = false
  /// What becomes of messages on their way to the synthesiser; nothing by default.
  public var transform = MessageTransform()
  /// How long an output may take to begin; 10 s by default.
  ///
  /// After that the playback has failed, with `PlaybackError.outputNeverBegan`.
  public var outputPatience: Duration = .seconds(10)
  /// The state that the song before has left in the same ports; nil if they are as they began.
  ///
  /// The start restores what that song has changed, so that this one sounds as if it were alone.
  public var stateLeft: LeftState?
  /// The device whose initial values state returns to at a loop or a seek; nil for our synthesiser's
  /// if it plays, else those published for devices.
  public var device: StateDevice?
  /// Whether memory is kept out of swap, for all of the process; false by default.
  public var locksMemory = false

  /// Creates the ordinary options.
  public init() {}
}
