// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Sends a track to a node of its sequence's graph, in place of an endpoint.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid; `kAudioToolboxErr_InvalidPlayerState`
///   while the sequence is playing; `kAUGraphErr_NodeNotFound` if the graph does not have the node.
/// - Note: Any thread.
@discardableResult
public func MusicTrackSetDestNode(_ inTrack: MusicTrack?, _ inNode: AUNode) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let sequence = try given(track.sequence)
    try sequence.requireStanding()
    guard let graph = unsafe TrackDestinations.graph(sequence.standardGraph()),
      graph.contains(inNode)
    else { throw StatusError(-10860) }
    try track.edit { (content) throws(StatusError) in content.destination = .node(inNode) }
  }
}

/// Sends a track to a MIDI endpoint, in place of a node.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid; `kAudioToolboxErr_InvalidPlayerState`
///   while the sequence is playing.
/// - Note: Any thread.
@discardableResult
public func MusicTrackSetDestMIDIEndpoint(
  _ inTrack: MusicTrack?, _ inEndpoint: MIDIEndpointRef
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    try given(track.sequence).requireStanding()
    try track.edit { (content) throws(StatusError) in content.destination = .endpoint(inEndpoint) }
  }
}

/// Returns the node that is the destination of a track.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_IllegalTrackDestination` if the destination is an endpoint;
///   `kAudioToolboxError_NoTrackDestination` if no destination was set.
/// - Note: Any thread.
@discardableResult
public func MusicTrackGetDestNode(
  _ inTrack: MusicTrack?, _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  status { () throws(StatusError) in
    let destination = unsafe try object(inTrack, TrackBox.self).content().destination
    let out = unsafe try given(outNode)
    switch destination {
    case .node(let node): unsafe out.pointee = node
    case .endpoint, .outlet: throw StatusError(kAudioToolboxErr_IllegalTrackDestination)
    case .standard: throw StatusError(kAudioToolboxError_NoTrackDestination)
    }
  }
}

/// Returns the MIDI endpoint that is the destination of a track.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_IllegalTrackDestination` if the destination is not an endpoint.
/// - Note: Any thread.
@discardableResult
public func MusicTrackGetDestMIDIEndpoint(
  _ inTrack: MusicTrack?, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  status { () throws(StatusError) in
    let destination = unsafe try object(inTrack, TrackBox.self).content().destination
    let out = unsafe try given(outEndpoint)
    guard case .endpoint(let endpoint) = destination else {
      throw StatusError(kAudioToolboxErr_IllegalTrackDestination)
    }
    unsafe out.pointee = endpoint
  }
}
