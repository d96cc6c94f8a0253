// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// No event.
public let kMusicEventType_NULL: MusicEventType = 0
/// A note for a unit, with fractional pitch and velocity.
public let kMusicEventType_ExtendedNote: MusicEventType = 1
/// A tempo from its beat on.
public let kMusicEventType_ExtendedTempo: MusicEventType = 3
/// Bytes for the sequence's user callback.
public let kMusicEventType_User: MusicEventType = 4
/// A meta event of a file.
public let kMusicEventType_Meta: MusicEventType = 5
/// A note with its duration.
public let kMusicEventType_MIDINoteMessage: MusicEventType = 6
/// A channel message that is no note.
public let kMusicEventType_MIDIChannelMessage: MusicEventType = 7
/// SysEx, whole, or other bytes for the wire.
public let kMusicEventType_MIDIRawData: MusicEventType = 8
/// A value of a unit's parameter.
public let kMusicEventType_Parameter: MusicEventType = 9
/// The state of a unit.
public let kMusicEventType_AUPreset: MusicEventType = 10

/// As the end of a range: through the last event.
public let kMusicTimeStamp_EndOfTrack: MusicTimeStamp = .greatestFiniteMagnitude

/// Of an extended note: the patch that its group has.
public let kMusicNoteEvent_UseGroupInstrument: UInt32 = 0xFFFF_FFFF
/// Of an extended note: no patch.
public let kMusicNoteEvent_Unused: UInt32 = 0xFFFF_FFFF

/// `MusicTrackLoopInfo`: the tail that is repeated, and how often it is played; 0 for ever.
public let kSequenceTrackProperty_LoopInfo: UInt32 = 0
/// `MusicTimeStamp`: beats by which the track is shifted.
public let kSequenceTrackProperty_OffsetTime: UInt32 = 1
/// `Boolean`: whether the track is silent.
public let kSequenceTrackProperty_MuteStatus: UInt32 = 2
/// `Boolean`: whether only this track, and others like it, are heard.
public let kSequenceTrackProperty_SoloStatus: UInt32 = 3
/// `UInt32`: whether the track's parameter events are points of a curve.
public let kSequenceTrackProperty_AutomatedParameters: UInt32 = 4
/// `MusicTimeStamp`: the length; setting it below the end of the last event changes nothing.
public let kSequenceTrackProperty_TrackLength: UInt32 = 5
/// `SInt16`, of the tempo track alone, read only: ticks a quarter note of the file.
public let kSequenceTrackProperty_TimeResolution: UInt32 = 6
