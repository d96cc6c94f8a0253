// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// How a playback begins.
public struct PlaybackOptions: Sendable {
  /// Where it begins.
  public var start: Tick = .zero
  /// Whether it begins by itself; if not, everything is ready and `start` begins it.
  public var startsAtOnce = true
  /// How much faster than written the music runs, above 0 to 32.
  public var playRate: Ratio = 1
  /// The part that is played over and over.
  public var loop: LoopRange?
  /// Whether notes that sound at the place a move leads to are struck there.
  public var restartsHeldNotes = false
  /// What becomes of messages on their way to the synthesiser.
  public var transform = MessageTransform()
  /// How long an output may take to begin, in nanoseconds: 10 s.
  ///
  /// After that the playback has failed, with `PlaybackError.outputNeverBegan`.
  public var outputPatience: Int64 = 10_000_000_000
  /// Whether memory is kept out of swap, for all of the process.
  public var locksMemory = false

  /// Creates the ordinary options.
  public init() {}
}
