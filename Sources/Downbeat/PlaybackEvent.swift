// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// An event of a playback, reported when it is audible.
public struct PlaybackEvent: Sendable {
  /// The host time at which the event is audible.
  public let time: HostTime
  /// The kind of the event, with its details.
  public let kind: Kind

  /// The kinds of event.
  public enum Kind: Sendable {
    /// Playback started at this tick.
    case started(Tick)
    /// Playback stopped; this tick was not played.
    case stopped(Tick)
    /// Playback moved to this tick by a command.
    case located(Tick)
    /// The loop jumped back to its start; `pass` counts the jumps, from 1.
    case looped(pass: Int, to: Tick)
    /// Events were skipped because the process was delayed; `by` is the duration of the skipped
    /// part.
    case late(by: Duration)
    /// The last event of the sequence was played.
    case finished
    /// A meta event, user event or change of a parameter was reached; `track` is nil for the tempo
    /// track.
    case event(TrackEvent, track: Int?, at: Tick)
  }
}
