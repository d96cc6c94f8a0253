// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// An event of a playback, reported when it is audible.
public struct PlaybackEvent: Sendable {
  /// The host time at which it is audible.
  public let time: HostTime
  /// The kind of the event, with its details.
  public let kind: Kind

  /// The kinds of event.
  public enum Kind: Sendable {
    /// The transport began to run at a tick.
    case started(Tick)
    /// The transport stopped before a tick.
    case stopped(Tick)
    /// The transport went to a tick.
    case located(Tick)
    /// The loop returned to its start for the n-th time, n from 1.
    case looped(pass: Int, to: Tick)
    /// Events of the given duration were skipped because the process was delayed.
    case late(by: Duration)
    /// The last event was played.
    case finished
    /// A meta, user or parameter event of a track; `track` is nil for the tempo track.
    case event(TrackEvent, track: Int?, at: Tick)
  }
}
