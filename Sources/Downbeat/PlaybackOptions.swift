// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// The start, speed, loop and other options of a playback.
public struct PlaybackOptions: Sendable {
  /// The start position; the first tick by default.
  public var start: Tick = .zero
  /// True, the default, to start at once; false to prepare everything and wait for `start`.
  public var startsAtOnce = true
  /// True if it lasts to the end of the longest track, silence included; false, the default, if it
  /// ends when its last note is released.
  public var playsToEnd = false
  /// The speed as a factor, above 0 up to 32; 1, the default, is as written.
  public var playRate: Ratio = 1
  /// The loop; nil, the default, for none.
  public var loop: LoopRange?
  /// True to strike notes again that are sounding at the position of a seek or loop start; false by
  /// default.
  public var restartsHeldNotes = false
  /// The transform of messages to the synthesisers; no change by default.
  public var transform = MessageTransform()
  /// The time that the output may need to begin; 10 s by default.
  ///
  /// After this time the playback fails with `PlaybackError.outputNeverBegan`.
  public var outputPatience: Duration = .seconds(10)
  /// The state in which the previous song left the same ports; nil if they are in their initial
  /// state.
  ///
  /// At the start, everything that the previous song changed is reset.
  public var stateLeft: LeftState?
  /// The device whose initial values are restored at a loop or seek; nil, the default, for
  /// Downbeat's synthesiser if it plays, otherwise for the published values of devices.
  public var device: StateDevice?
  /// True to lock all memory of the process, so that it is not swapped; false by default.
  public var locksMemory = false

  /// Creates options with default values.
  public init() {}
}
