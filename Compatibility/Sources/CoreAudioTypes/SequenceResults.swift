// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// A sequence of the type cannot have the tempo events that there are, or be saved so.
public let kAudioToolboxErr_InvalidSequenceType: OSStatus = -10846
/// No track has the index.
public let kAudioToolboxErr_TrackIndexError: OSStatus = -10859
/// The track is none of the sequence.
public let kAudioToolboxErr_TrackNotFound: OSStatus = -10858
/// The iterator is past the last event.
public let kAudioToolboxErr_EndOfTrack: OSStatus = -10857
/// The iterator is at the first event.
public let kAudioToolboxErr_StartOfTrack: OSStatus = -10856
/// A track that has a node has no endpoint, and the other way round.
public let kAudioToolboxErr_IllegalTrackDestination: OSStatus = -10855
/// The player has no sequence.
public let kAudioToolboxErr_NoSequence: OSStatus = -10854
/// An event cannot be of the type.
public let kAudioToolboxErr_InvalidEventType: OSStatus = -10853
/// Not while the player plays, or only while it does.
public let kAudioToolboxErr_InvalidPlayerState: OSStatus = -10852
/// Not now: what is to go is in use.
public let kAudioToolboxErr_CannotDoInCurrentContext: OSStatus = -10863
/// The track has neither node nor endpoint.
public let kAudioToolboxError_NoTrackDestination: OSStatus = -66720
