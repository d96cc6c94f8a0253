// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// The sequence of a track.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicTrackGetSequence(
  _ inTrack: MusicTrack?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    unsafe try given(outSequence).pointee = try given(track.sequence).pointer
  }
}

/// Moves the events that begin in a half-open range by so many beats, earlier below 0.
///
/// - Returns: `noErr`; `ParamError` for a range that is none and where an event would lie before the
///   start, too: then nothing is moved.
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

/// Removes the events that begin in a half-open range; nothing else moves.
///
/// - Returns: `noErr`; `ParamError` for a range that is none, too.
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

/// Removes a half-open range: what follows moves up by its length.
///
/// - Returns: `noErr`; `ParamError` for a range that is none, too.
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

/// Copies a half-open range of a track into another, or the same, at a time; what is there moves
/// later by its length.
///
/// A range to the end of the track is as long as the track is.
///
/// - Returns: `noErr`; `ParamError` for a range that is none and a time below 0, too.
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

/// Copies a half-open range of a track into another, or the same, from a time on; nothing moves.
///
/// - Returns: `noErr`; `ParamError` for a range that is none and a time below 0, too.
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
