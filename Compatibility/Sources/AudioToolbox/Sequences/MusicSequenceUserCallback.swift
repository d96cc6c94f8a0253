// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// Told of a sequence's user events: what was given with it, sequence, track, the event's time and
/// bytes, and the beats from which and to which a player is at work.
///
/// The time lies in those beats, but for a track that repeats: there it is the event's own. Where a
/// player is put to another time, it is told of the events before, with both beats at that time.
public typealias MusicSequenceUserCallback =
  @convention(c) (
    _ inClientData: UnsafeMutableRawPointer?, _ inSequence: MusicSequence, _ inTrack: MusicTrack,
    _ inEventTime: MusicTimeStamp, _ inEventData: UnsafePointer<MusicEventUserData>,
    _ inStartSliceBeat: MusicTimeStamp, _ inEndSliceBeat: MusicTimeStamp
  ) -> Void
