// SPDX-License-Identifier: Apache-2.0
public import MusicSequences
public import MusicalTime

/// Something that happened in a playback, told of when it is heard.
public struct PlaybackEvent: Sendable {
  /// The host time at which it is heard.
  public let time: HostTime
  /// What happened.
  public let kind: Kind

  /// The kinds of event.
  public enum Kind: Sendable {
    /// The transport began to run at a tick.
    case started(Tick)
    /// The transport stopped before a tick.
    case stopped(Tick)
    /// The transport went to a tick.
    case located(Tick)
    /// The loop went back to its start for the n-th time.
    case looped(pass: Int, to: Tick)
    /// So much was left out, since the process had been held up.
    case late(by: Duration)
    /// The last event was played.
    case finished
    /// A meta, user or parameter event of a track; of the tempo track where the track is nil.
    case event(TrackEvent, track: Int?, at: Tick)
  }
}
