// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A sink that a playback sends to beside the synthesiser or instead of it: an output port.
public struct PlaybackPort {
  /// What tracks call it in their settings.
  public var name: String
  /// What takes the events, at host times.
  public var sink: any EventSink<HostTime>
  /// Nanoseconds by which everything is later there; below zero earlier, at most by 100 ms.
  public var delay: Int64
  /// Which messages pass.
  public var filter: MessageFilter
  /// How those that pass change: channels, transposition (drums spared), velocity.
  public var transform: MessageTransform

  /// Creates a port on which everything passes unchanged.
  public init(
    name: String, sink: any EventSink<HostTime>, delay: Int64 = 0,
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.name = name
    self.sink = sink
    self.delay = delay
    self.filter = filter
    self.transform = transform
  }
}

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
  /// Whether memory is kept out of swap, for all of the process.
  public var locksMemory = false

  /// Creates the ordinary options.
  public init() {}
}
