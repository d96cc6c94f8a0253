// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// The start, speed, loop and other options of a playback.
public struct PlaybackOptions: Sendable {
  /// The start position; the first tick by default.
  public var start: Tick = .zero
  /// True to start at once; false to prepare everything and wait for `start`.
  ///
  /// Default true.
  public var startsAtOnce = true
  /// True to play to the end of the longest track, even if its end is silent; false to end when the
  /// last note is released.
  ///
  /// Default false.
  public var playsToEnd = false
  /// The speed as a factor, above 0 and at most 32; default 1, the written tempo.
  public var playRate: Ratio = 1
  /// The range that is repeated; default nil, for no loop.
  public var loop: LoopRange?
  /// True to restart notes that began before the target of a seek or the start of a loop and are
  /// still held there; default false.
  public var restartsHeldNotes = false
  /// The transform of messages to the synthesisers; no change by default.
  public var transform = MessageTransform()
  /// The maximum time that the output may take to begin playing; default 10 s.
  ///
  /// After this time the playback fails with `PlaybackError.outputNeverBegan`.
  public var outputPatience: Duration = .seconds(10)
  /// The state of the ports after the previous song on the same ports; nil if the ports are in
  /// their initial state.
  ///
  /// At the start, everything that the previous song changed is reset.
  public var stateLeft: LeftState?
  /// The device whose initial values are restored when playback loops or seeks.
  ///
  /// Default nil: the values of Downbeat's synthesiser if it plays, otherwise the values that the
  /// standards define.
  public var device: StateDevice?
  /// True to lock all memory of the process, so that it is not swapped; false by default.
  public var locksMemory = false

  /// Creates options with default values.
  public init() {}
}
