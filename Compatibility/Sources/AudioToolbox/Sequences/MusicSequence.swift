// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates a sequence in beats at 120 BPM, without tracks.
///
/// - Returns: 0; `kAudio_ParamError` if the pointer is nil; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread.
@discardableResult
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>?) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outSequence)
    unsafe out.pointee = try SequenceBox().makeHandle()
  }
}

/// Frees a sequence with its tracks and their events; then their handles and iterators are invalid.
///
/// - Returns: 0; `kAudio_ParamError` if the sequence is invalid;
///   `kAudioToolboxErr_CannotDoInCurrentContext` if it belongs to a player.
/// - Note: Any thread except a render thread.
@discardableResult
public func DisposeMusicSequence(_ inSequence: MusicSequence?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inSequence, SequenceBox.self).dispose() }
}

/// Adds an empty track after the existing tracks.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread.
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

/// Removes and frees a track; the indices of later tracks decrease by 1.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid; `kAudioToolboxErr_TrackNotFound`
///   for the tempo track and for a track of another sequence.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceDisposeTrack(
  _ inSequence: MusicSequence?, _ inTrack: MusicTrack?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    try sequence.removeTrack(unsafe object(inTrack))
  }
}

/// Returns the number of tracks in a sequence, without the tempo track.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceGetTrackCount(
  _ inSequence: MusicSequence?, _ outNumberOfTracks: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outNumberOfTracks).pointee = UInt32(sequence.tracks.count)
  }
}

/// Returns the track at an index, from 0.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid or the index is out of range.
/// - Note: Any thread.
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

/// Returns the index of a track, from 0.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid; `kAudioToolboxErr_TrackNotFound`
///   for the tempo track and for a track of another sequence.
/// - Note: Any thread.
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

/// Returns the tempo track, which every sequence has.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceGetTempoTrack(
  _ inSequence: MusicSequence?, _ outTrack: UnsafeMutablePointer<MusicTrack?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outTrack).pointee = sequence.tempoTrack.pointer
  }
}

/// Sets the graph whose instruments the tracks play; nil chooses the sequence's default graph.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_InvalidPlayerState` while the sequence is playing.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceSetAUGraph(_ inSequence: MusicSequence?, _ inGraph: AUGraph?) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    if unsafe inGraph != nil, unsafe TrackDestinations.graph(inGraph) == nil { throw .parameter }
    try sequence.requireStanding()
    unsafe sequence.setGraph(inGraph)
  }
}

/// Returns the graph of a sequence.
///
/// If no graph was set, the function creates the default graph: a synthesiser and an output. It is
/// freed with the sequence.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxError_NoTrackDestination` if a graph cannot be created.
/// - Note: Any thread.
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

/// Sends all current tracks of a sequence to a MIDI endpoint.
///
/// - Returns: 0; `kAudio_ParamError` if the sequence is invalid;
///   `kAudioToolboxErr_InvalidPlayerState` while the sequence is playing.
/// - Note: Any thread.
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

/// Sets the unit of a sequence's beats: quarter notes, seconds or samples.
///
/// The times of events do not change.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_InvalidSequenceType` for seconds or samples if the sequence has tempo
///   events.
/// - Note: Any thread.
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

/// Returns the unit of a sequence's beats.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceGetSequenceType(
  _ inSequence: MusicSequence?, _ outType: UnsafeMutablePointer<MusicSequenceType>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    unsafe try given(outType).pointee = sequence.type
  }
}

/// Sets the function that is called when user events are played; nil removes it.
///
/// The function is called on a thread of the player.
///
/// - Returns: 0; `kAudio_ParamError` if the sequence is invalid.
/// - Note: Any thread.
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
