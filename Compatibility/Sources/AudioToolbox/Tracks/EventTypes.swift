// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// Not an event.
public let kMusicEventType_NULL: MusicEventType = 0
/// A note for an audio unit, with fractional pitch and velocity.
public let kMusicEventType_ExtendedNote: MusicEventType = 1
/// A tempo that applies from its beat on.
public let kMusicEventType_ExtendedTempo: MusicEventType = 3
/// Bytes for the sequence's user callback.
public let kMusicEventType_User: MusicEventType = 4
/// A meta event of a file.
public let kMusicEventType_Meta: MusicEventType = 5
/// A note with a duration.
public let kMusicEventType_MIDINoteMessage: MusicEventType = 6
/// A channel message that is not a note.
public let kMusicEventType_MIDIChannelMessage: MusicEventType = 7
/// A complete SysEx message, or other bytes that are sent unchanged.
public let kMusicEventType_MIDIRawData: MusicEventType = 8
/// A value of an audio unit's parameter.
public let kMusicEventType_Parameter: MusicEventType = 9
/// A preset of an audio unit.
public let kMusicEventType_AUPreset: MusicEventType = 10

/// The end of a range that reaches to the end of the track.
public let kMusicTimeStamp_EndOfTrack: MusicTimeStamp = .greatestFiniteMagnitude

/// In an extended note: the note uses the patch of its group.
public let kMusicNoteEvent_UseGroupInstrument: UInt32 = 0xFFFF_FFFF
/// In an extended note: the patch is not used.
public let kMusicNoteEvent_Unused: UInt32 = 0xFFFF_FFFF

/// A `MusicTrackLoopInfo`: the length of the repeated end of the track, and the number of passes; 0
/// for endless.
public let kSequenceTrackProperty_LoopInfo: UInt32 = 0
/// A `MusicTimeStamp`: the beats by which the track is shifted.
public let kSequenceTrackProperty_OffsetTime: UInt32 = 1
/// A `Boolean`: true if the track is muted.
public let kSequenceTrackProperty_MuteStatus: UInt32 = 2
/// A `Boolean`: true if only this track and other soloed tracks are played.
public let kSequenceTrackProperty_SoloStatus: UInt32 = 3
/// A `UInt32`: 1 if the track's parameter events are points of a curve.
public let kSequenceTrackProperty_AutomatedParameters: UInt32 = 4
/// A `MusicTimeStamp`: the length of the track in beats, at least the end of its last event.
public let kSequenceTrackProperty_TrackLength: UInt32 = 5
/// An `SInt16`: the ticks per quarter note of the file.
///
/// Only the tempo track has this property, and it is read-only.
public let kSequenceTrackProperty_TimeResolution: UInt32 = 6
