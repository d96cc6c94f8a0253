// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A change of a clock, made by a command or by the master.
public enum ClockEvent: Hashable, BitwiseCopyable, Sendable {
  /// The tick from which the clock starts next was set, by a locate or by the master.
  case startTimeSet(Tick)
  /// The clock started from a tick at a host time, which may be in the future.
  case started(Tick, at: HostTime)
  /// The clock stopped before a tick at a host time; the reason is given.
  case stopped(StopReason, Tick, at: HostTime)
  /// The running clock moved to a tick at a host time.
  case located(Tick, at: HostTime)
  /// The master may start the clock and set its position.
  case armed
  /// The master may not start the clock any more.
  case disarmed
  /// A property of the clock has a new value.
  case changed(ClockProperty)
  /// An event that the follower of the master reports, such as locked, freewheeling or lost.
  case master(FollowerEvent)
}

/// A property of a clock with its new value; maps are read from the clock.
public enum ClockProperty: Hashable, BitwiseCopyable, Sendable {
  /// The play rate: 1 plays at the written tempo.
  case playRate(Ratio)
  /// The tempo set by hand; nil if the map determines the tempo.
  case tempo(Tempo?)
  /// The tempo map changed.
  case tempoMap
  /// The meter map changed.
  case meterMap
  /// The range that is repeated; nil for none.
  case loop(LoopRange?)
  /// The frame rate of positions in time code; nil if it is not set.
  case frameRate(FrameRate?)
  /// The time code of tick 0.
  case smpteOffset(Timecode?)
  /// The sample rate of positions in samples.
  case sampleRate(SampleRate?)
  /// The time for which the clock continues after the master has stopped sending.
  case freewheel(Duration)
  /// The kind of master that the clock follows.
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
  /// A clock that another process serves under a name.
  case shared
  /// An Ableton Link session.
  case link
  /// The transport of a JACK server.
  case jack
}
