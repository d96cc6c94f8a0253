// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// A function that is called for user events of a sequence.
///
/// It receives the client data, the sequence, the track, the time and bytes of the event, and the
/// first and last beat of the current slice. The time is in the slice, except in a track that
/// repeats: there it is the event's time in the track. When a player moves to another position, the
/// function is called for all earlier events, with a slice that starts and ends at the new
/// position.
public typealias MusicSequenceUserCallback =
  @convention(c) (
    _ inClientData: UnsafeMutableRawPointer?, _ inSequence: MusicSequence, _ inTrack: MusicTrack,
    _ inEventTime: MusicTimeStamp, _ inEventData: UnsafePointer<MusicEventUserData>,
    _ inStartSliceBeat: MusicTimeStamp, _ inEndSliceBeat: MusicTimeStamp
  ) -> Void
