// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Adds a note after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, the channel
///   is above 15, a key or velocity is above 127, or the duration is below 0.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewMIDINoteEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMessage: UnsafePointer<MIDINoteMessage>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDINoteMessage, inMessage, at: inTimeStamp, to: inTrack)
}

/// Adds a channel message after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, or the
///   status byte is not in 80…EF.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewMIDIChannelEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMessage: UnsafePointer<MIDIChannelMessage>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDIChannelMessage, inMessage, at: inTimeStamp, to: inTrack)
}

/// Adds SysEx bytes, including F0 and F7, after the events at their time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, or the
///   number of bytes is 0.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewMIDIRawDataEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inRawData: UnsafePointer<MIDIRawData>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDIRawData, inRawData, at: inTimeStamp, to: inTrack)
}

/// Adds a note for an audio unit after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, the
///   duration is below 0, or the note has fewer than two arguments.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewExtendedNoteEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inInfo: UnsafePointer<ExtendedNoteOnEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_ExtendedNote, inInfo, at: inTimeStamp, to: inTrack)
}

/// Adds a value of an audio unit's parameter after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid or the time is not in 0…10⁹.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewParameterEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ParameterEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_Parameter, inInfo, at: inTimeStamp, to: inTrack)
}

/// Adds a tempo in BPM after the events at its time; a tempo takes effect only in the tempo track.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, or the
///   tempo is not in 0.001…10⁹.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewExtendedTempoEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inBPM: Float64
) -> OSStatus {
  var event = ExtendedTempoEvent(bpm: inBPM)
  return unsafe add(kMusicEventType_ExtendedTempo, &event, at: inTimeStamp, to: inTrack)
}

/// Adds a meta event after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, the time is not in 0…10⁹, or the type
///   is above 127.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewMetaEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMetaEvent: UnsafePointer<MIDIMetaEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_Meta, inMetaEvent, at: inTimeStamp, to: inTrack)
}

/// Adds bytes for the sequence's user callback after the events at their time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid or the time is not in 0…10⁹.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewUserEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inUserData: UnsafePointer<MusicEventUserData>?
) -> OSStatus {
  unsafe add(kMusicEventType_User, inUserData, at: inTimeStamp, to: inTrack)
}

/// Adds a preset of an audio unit, which the event retains, after the events at its time.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid or the time is not in 0…10⁹.
/// - Note: Any thread.
@discardableResult
public func MusicTrackNewAUPresetEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inPresetEvent: UnsafePointer<AUPresetEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_AUPreset, inPresetEvent, at: inTimeStamp, to: inTrack)
}

private func add(
  _ type: MusicEventType, _ data: UnsafeRawPointer?, at time: MusicTimeStamp,
  to track: MusicTrack?
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(track, TrackBox.self)
    let event = unsafe try BeatEvent(type, data, at: time)
    try track.edit { (content) throws(StatusError) in _ = content.events.insert(event) }
  }
}
