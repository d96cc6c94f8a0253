// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Makes a sequence: of type beats, without tracks and tempo events, at 120 beats a minute.
///
/// - Returns: `noErr`; `ParamError`; `MemFullError` where a million objects are there already.
@discardableResult
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>?) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outSequence)
    unsafe out.pointee = try SequenceBox().makeHandle()
  }
}

/// Frees a sequence, its tracks and their events; their handles and iterators are void from then on.
///
/// - Returns: `noErr`; `ParamError`; `CannotDoInCurrentContext` where a player has it.
@discardableResult
public func DisposeMusicSequence(_ inSequence: MusicSequence?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inSequence, SequenceBox.self).dispose() }
}

/// Adds an empty track after the others.
///
/// - Returns: `noErr`; `ParamError`; `MemFullError` where a million objects are there already.
@discardableResult
public func MusicSequenceNewTrack(
  _ inSequence: MusicSequence?, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let out = unsafe try given(outTrack)
    unsafe out.pointee = try sequence.addTrack()
  }
}

/// Removes a track and frees it; the indices of later ones are one less.
///
/// - Returns: `noErr`; `ParamError`; `TrackNotFound` for a track of another sequence, and for the
///   tempo track.
@discardableResult
public func MusicSequenceDisposeTrack(
  _ inSequence: MusicSequence?, _ inTrack: MusicTrack?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    try sequence.removeTrack(unsafe object(inTrack))
  }
}

/// How many tracks a sequence has; the tempo track does not count.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicSequenceGetTrackCount(
  _ inSequence: MusicSequence?, _ outNumberOfTracks: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outNumberOfTracks).pointee = UInt32(sequence.tracks.count)
  }
}

/// The track of an index, from 0.
///
/// - Returns: `noErr`; `ParamError`, for an index that there is not, too.
@discardableResult
public func MusicSequenceGetIndTrack(
  _ inSequence: MusicSequence?, _ inTrackIndex: UInt32,
  _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let tracks = unsafe try object(inSequence, SequenceBox.self).tracks
    guard tracks.indices.contains(Int(inTrackIndex)) else { throw .parameter }
    unsafe try given(outTrack).pointee = tracks[Int(inTrackIndex)].pointer
  }
}

/// The index of a track, from 0.
///
/// - Returns: `noErr`; `ParamError`; `TrackNotFound` for a track of another sequence, and for the
///   tempo track.
@discardableResult
public func MusicSequenceGetTrackIndex(
  _ inSequence: MusicSequence?, _ inTrack: MusicTrack?,
  _ outTrackIndex: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let track = unsafe try object(inTrack, TrackBox.self)
    guard let index = sequence.tracks.firstIndex(where: { $0 === track }) else {
      throw StatusError(kAudioToolboxErr_TrackNotFound)
    }
    unsafe try given(outTrackIndex).pointee = UInt32(index)
  }
}

/// The tempo track, which every sequence has.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicSequenceGetTempoTrack(
  _ inSequence: MusicSequence?, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outTrack).pointee = sequence.tempoTrack.pointer
  }
}

/// Gives a sequence the graph whose nodes its tracks play; nil for the one it is given by itself.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while the sequence is played.
@discardableResult
public func MusicSequenceSetAUGraph(_ inSequence: MusicSequence?, _ inGraph: AUGraph?) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    if unsafe inGraph != nil, unsafe TrackDestinations.graph(inGraph) == nil { throw .parameter }
    try sequence.requireStanding()
    unsafe sequence.setGraph(inGraph)
  }
}

/// The graph of a sequence; one that was given none makes one, which goes with it.
///
/// - Returns: `noErr`; `ParamError`; `NoTrackDestination` where none can be made.
@discardableResult
public func MusicSequenceGetAUGraph(
  _ inSequence: MusicSequence?, _ outGraph: UnsafeMutablePointer<AUGraph?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let out = unsafe try given(outGraph)
    guard let graph = unsafe sequence.standardGraph() else {
      throw StatusError(kAudioToolboxError_NoTrackDestination)
    }
    unsafe out.pointee = graph
  }
}

/// Sends all tracks that a sequence has now to a MIDI endpoint.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while the sequence is played.
@discardableResult
public func MusicSequenceSetMIDIEndpoint(
  _ inSequence: MusicSequence?, _ inEndpoint: MIDIEndpointRef
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    try sequence.requireStanding()
    for track in sequence.tracks {
      try track.edit { (content) throws(StatusError) in
        content.destination = .endpoint(inEndpoint)
      }
    }
  }
}

/// Says what a beat of a sequence is: a quarter note, a second, or a sample.
///
/// The numbers of its events stay as they are.
///
/// - Returns: `noErr`; `ParamError`; `InvalidSequenceType` for seconds or samples where there are
///   tempo events.
@discardableResult
public func MusicSequenceSetSequenceType(
  _ inSequence: MusicSequence?, _ inType: MusicSequenceType
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    guard [.beats, .seconds, .samples].contains(inType) else { throw .parameter }
    guard inType != sequence.type else { return }
    let tempi = try sequence.tempoTrack.content().events
    guard inType == .beats || !tempi.all.contains(where: { $0.tempo != nil }) else {
      throw StatusError(kAudioToolboxErr_InvalidSequenceType)
    }
    sequence.setType(inType)
  }
}

/// What a beat of a sequence is.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicSequenceGetSequenceType(
  _ inSequence: MusicSequence?, _ outType: UnsafeMutablePointer<MusicSequenceType>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outType).pointee = sequence.type
  }
}

/// Has a function told of a sequence's user events when they are played; nil ends it.
///
/// It is called on a thread of the player.
///
/// - Returns: `noErr`; `ParamError`.
@discardableResult
public func MusicSequenceSetUserCallback(
  _ inSequence: MusicSequence?, _ inCallback: MusicSequenceUserCallback?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    sequence.callback = unsafe inCallback.map {
      unsafe UserCallback(function: $0, data: inClientData)
    }
  }
}
