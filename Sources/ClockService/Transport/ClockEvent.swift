// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What happens to a clock, whoever did it.
public enum ClockEvent: Hashable, BitwiseCopyable, Sendable {
  /// The tick from which the next start goes was set, by a locate or by the master.
  case startTimeSet(Tick)
  /// The clock began to run: from a tick, at an instant that may lie ahead.
  case started(Tick, at: HostTime)
  /// The clock ceased to run before a tick, at an instant.
  case stopped(StopReason, Tick, at: HostTime)
  /// The clock went elsewhere while running.
  case located(Tick, at: HostTime)
  /// The master may start the clock and set its position.
  case armed
  /// The master may no longer.
  case disarmed
  /// A property has another value.
  case changed(ClockProperty)
  /// What the master does: locked, freewheeling, lost, time code of another format, and the rest.
  case master(FollowerEvent)
}

/// A property of a clock, with its new value where that is a small one.
public enum ClockProperty: Hashable, BitwiseCopyable, Sendable {
  /// How much faster than written the music runs.
  case playRate(Ratio)
  /// The tempo set by hand; nil where the map's holds again.
  case tempo(Tempo?)
  /// The tempo map.
  case tempoMap
  /// The meter map.
  case meterMap
  /// The part that is played over and over.
  case loop(LoopRange?)
  /// The rate of labels.
  case frameRate(FrameRate?)
  /// The label of tick 0.
  case smpteOffset(Timecode?)
  /// The rate at which positions are counted in samples.
  case sampleRate(SampleRate?)
  /// How long motion goes on without the master.
  case freewheel(Duration)
  /// What is followed.
  case sync(SyncMode)
}

/// What a clock follows.
public enum SyncMode: Hashable, BitwiseCopyable, Sendable {
  /// Nothing: it runs by itself.
  case alone
  /// MIDI beat clock.
  case midiClock
  /// Time code, of MIDI or linear.
  case timecode
  /// A clock that another process serves.
  case shared
  /// A session of Ableton Link.
  case link
  /// The transport of a JACK server.
  case jack
}
