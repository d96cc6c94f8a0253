// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Sends a track to a node of its sequence's graph, in the place of an endpoint.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while it is played; `NodeNotFound` (−10860)
///   for a node that the graph has not.
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

/// Sends a track to a MIDI endpoint, in the place of a node.
///
/// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while it is played.
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

/// The node that a track plays.
///
/// - Returns: `noErr`; `ParamError`; `IllegalTrackDestination` where it goes to an endpoint;
///   `NoTrackDestination` where it was given none.
@discardableResult
public func MusicTrackGetDestNode(
  _ inTrack: MusicTrack?, _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  status { () throws(StatusError) in
    let destination = unsafe try object(inTrack, TrackBox.self).content().destination
    let out = unsafe try given(outNode)
    switch destination {
    case .node(let node): unsafe out.pointee = node
    case .endpoint: throw StatusError(kAudioToolboxErr_IllegalTrackDestination)
    case .standard: throw StatusError(kAudioToolboxError_NoTrackDestination)
    }
  }
}

/// The MIDI endpoint that a track goes to.
///
/// - Returns: `noErr`; `ParamError`; `IllegalTrackDestination` where it goes to a node.
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
