// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A change of a clock, whatever caused it.
public enum ClockEvent: Hashable, BitwiseCopyable, Sendable {
  /// The tick of the next start was set, by a locate or by the master.
  case startTimeSet(Tick)
  /// The clock started from a tick, at an instant that may be in the future.
  case started(Tick, at: HostTime)
  /// The clock stopped before a tick, at an instant.
  case stopped(StopReason, Tick, at: HostTime)
  /// The running clock moved to a tick, at an instant.
  case located(Tick, at: HostTime)
  /// The master may start the clock and set its position.
  case armed
  /// The master may not start the clock any more.
  case disarmed
  /// A property has a new value.
  case changed(ClockProperty)
  /// An event of the master, such as locked, freewheeling or lost.
  case master(FollowerEvent)
}

/// A property of a clock, with its new value except for maps.
public enum ClockProperty: Hashable, BitwiseCopyable, Sendable {
  /// The play rate: 1 plays as written.
  case playRate(Ratio)
  /// The tempo set by hand; nil if the map determines the tempo again.
  case tempo(Tempo?)
  /// The tempo map.
  case tempoMap
  /// The meter map.
  case meterMap
  /// The range that is repeated; nil for none.
  case loop(LoopRange?)
  /// The frame rate of time code.
  case frameRate(FrameRate?)
  /// The time code of tick 0.
  case smpteOffset(Timecode?)
  /// The sample rate of positions in samples.
  case sampleRate(SampleRate?)
  /// The time for which the clock continues without the master.
  case freewheel(Duration)
  /// The kind of master.
  case sync(SyncMode)
}

/// The kind of master that a clock follows.
public enum SyncMode: Hashable, BitwiseCopyable, Sendable {
  /// No master: the clock runs freely.
  case alone
  /// MIDI clock.
  case midiClock
  /// MIDI or linear time code.
  case timecode
  /// The served clock of another process.
  case shared
  /// An Ableton Link session.
  case link
  /// The transport of a JACK server.
  case jack
}
