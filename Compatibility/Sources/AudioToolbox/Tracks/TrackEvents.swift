// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Adds a note after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0, a channel above 15, a key or velocity above
///   127, a duration below 0, too.
@discardableResult
public func MusicTrackNewMIDINoteEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMessage: UnsafePointer<MIDINoteMessage>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDINoteMessage, inMessage, at: inTimeStamp, to: inTrack)
}

/// Adds a channel message after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0 and a status that is no channel's, too.
@discardableResult
public func MusicTrackNewMIDIChannelEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMessage: UnsafePointer<MIDIChannelMessage>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDIChannelMessage, inMessage, at: inTimeStamp, to: inTrack)
}

/// Adds SysEx, F0 and F7 included, after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0 and no bytes, too.
@discardableResult
public func MusicTrackNewMIDIRawDataEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inRawData: UnsafePointer<MIDIRawData>?
) -> OSStatus {
  unsafe add(kMusicEventType_MIDIRawData, inRawData, at: inTimeStamp, to: inTrack)
}

/// Adds a note for a unit after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time or duration below 0 and fewer than two arguments, too.
@discardableResult
public func MusicTrackNewExtendedNoteEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inInfo: UnsafePointer<ExtendedNoteOnEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_ExtendedNote, inInfo, at: inTimeStamp, to: inTrack)
}

/// Adds a value of a unit's parameter after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0, too.
@discardableResult
public func MusicTrackNewParameterEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ParameterEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_Parameter, inInfo, at: inTimeStamp, to: inTrack)
}

/// Adds a tempo, in beats a minute, after the events of its time; it counts in the tempo track.
///
/// - Returns: `noErr`; `ParamError` for a time below 0 and a tempo outside 0.001…10⁹, too.
@discardableResult
public func MusicTrackNewExtendedTempoEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp, _ inBPM: Float64
) -> OSStatus {
  var event = ExtendedTempoEvent(bpm: inBPM)
  return unsafe add(kMusicEventType_ExtendedTempo, &event, at: inTimeStamp, to: inTrack)
}

/// Adds a meta event after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0 and a type above 127, too.
@discardableResult
public func MusicTrackNewMetaEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inMetaEvent: UnsafePointer<MIDIMetaEvent>?
) -> OSStatus {
  unsafe add(kMusicEventType_Meta, inMetaEvent, at: inTimeStamp, to: inTrack)
}

/// Adds bytes for the sequence's user callback after the events of their time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0, too.
@discardableResult
public func MusicTrackNewUserEvent(
  _ inTrack: MusicTrack?, _ inTimeStamp: MusicTimeStamp,
  _ inUserData: UnsafePointer<MusicEventUserData>?
) -> OSStatus {
  unsafe add(kMusicEventType_User, inUserData, at: inTimeStamp, to: inTrack)
}

/// Adds the state of a unit, which the event keeps, after the events of its time.
///
/// - Returns: `noErr`; `ParamError` for a time below 0, too.
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
