// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Returns the sequence of a track.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicTrackGetSequence(
  _ inTrack: MusicTrack?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    unsafe try given(outSequence).pointee = try given(track.sequence).pointer
  }
}

/// Moves the events in a half-open range by a number of beats; a negative number moves them
/// earlier.
///
/// - Returns: 0; `kAudio_ParamError` if the track or the range is invalid, or if the time of an
///   event would not be in 0…10⁹; then nothing is moved.
/// - Note: Any thread.
@discardableResult
public func MusicTrackMoveEvents(
  _ inTrack: MusicTrack?, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp,
  _ inMoveTime: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let range = try TimeRange(from: inStartTime, to: inEndTime)
    guard inMoveTime.isFinite else { throw .parameter }
    try track.edit { (content) throws(StatusError) in try content.move(range, by: inMoveTime) }
  }
}

/// Removes the events in a half-open range; other events do not move.
///
/// - Returns: 0; `kAudio_ParamError` if the track or the range is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicTrackClear(
  _ inTrack: MusicTrack?, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let range = try TimeRange(from: inStartTime, to: inEndTime)
    try track.edit { (content) throws(StatusError) in content.clear(range) }
  }
}

/// Removes a half-open range; later events move up by its length.
///
/// - Returns: 0; `kAudio_ParamError` if the track or the range is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicTrackCut(
  _ inTrack: MusicTrack?, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let range = try TimeRange(from: inStartTime, to: inEndTime)
    try track.edit { (content) throws(StatusError) in content.cut(range) }
  }
}

/// Inserts a copy of a half-open range at a time; events from this time on move back by its length.
///
/// The range may be from the same track or another. A range to `kMusicTimeStamp_EndOfTrack` ends at
/// the track's length.
///
/// - Returns: 0; `kAudio_ParamError` if a track or the range is invalid, or a time is out of range.
/// - Note: Any thread.
@discardableResult
public func MusicTrackCopyInsert(
  _ inSourceTrack: MusicTrack?, _ inSourceStartTime: MusicTimeStamp,
  _ inSourceEndTime: MusicTimeStamp, _ inDestTrack: MusicTrack?,
  _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    let source = unsafe try object(inSourceTrack, TrackBox.self)
    let destination = unsafe try object(inDestTrack, TrackBox.self)
    let range = try TimeRange(from: inSourceStartTime, to: inSourceEndTime)
    guard BeatEvent.canStand(at: inDestInsertTime) else { throw .parameter }
    let excerpt = try source.content().excerpt(range, at: inDestInsertTime)
    try destination.edit { (content) throws(StatusError) in
      try content.insert(excerpt.events, at: inDestInsertTime, length: excerpt.length)
    }
  }
}

/// Adds copies of the events in a half-open range at a time; other events do not move.
///
/// The range may be from the same track or another.
///
/// - Returns: 0; `kAudio_ParamError` if a track or the range is invalid, or a time is out of range.
/// - Note: Any thread.
@discardableResult
public func MusicTrackMerge(
  _ inSourceTrack: MusicTrack?, _ inSourceStartTime: MusicTimeStamp,
  _ inSourceEndTime: MusicTimeStamp, _ inDestTrack: MusicTrack?,
  _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
  status { () throws(StatusError) in
    let source = unsafe try object(inSourceTrack, TrackBox.self)
    let destination = unsafe try object(inDestTrack, TrackBox.self)
    let range = try TimeRange(from: inSourceStartTime, to: inSourceEndTime)
    guard BeatEvent.canStand(at: inDestInsertTime) else { throw .parameter }
    let excerpt = try source.content().excerpt(range, at: inDestInsertTime)
    try destination.edit { (content) throws(StatusError) in
      content.events.insert(contentsOf: excerpt.events)
    }
  }
}
