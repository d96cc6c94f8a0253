// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The sequence has tempo events that this type cannot have, or this type cannot be saved.
public let kAudioToolboxErr_InvalidSequenceType: OSStatus = -10846
/// The index of the track is out of range.
public let kAudioToolboxErr_TrackIndexError: OSStatus = -10859
/// The track does not belong to the sequence.
public let kAudioToolboxErr_TrackNotFound: OSStatus = -10858
/// The iterator is past the last event.
public let kAudioToolboxErr_EndOfTrack: OSStatus = -10857
/// The iterator is on the first event.
public let kAudioToolboxErr_StartOfTrack: OSStatus = -10856
/// The destination of the track is of the other kind: a node instead of an endpoint, or an endpoint
/// instead of a node.
public let kAudioToolboxErr_IllegalTrackDestination: OSStatus = -10855
/// The player does not have a sequence.
public let kAudioToolboxErr_NoSequence: OSStatus = -10854
/// The event type does not exist.
public let kAudioToolboxErr_InvalidEventType: OSStatus = -10853
/// The player is playing, or for functions that need a playing player, it is not.
public let kAudioToolboxErr_InvalidPlayerState: OSStatus = -10852
/// The operation is not possible now, because the object is in use.
public let kAudioToolboxErr_CannotDoInCurrentContext: OSStatus = -10863
/// The track does not have a destination, or the default graph cannot be created.
public let kAudioToolboxError_NoTrackDestination: OSStatus = -66720
