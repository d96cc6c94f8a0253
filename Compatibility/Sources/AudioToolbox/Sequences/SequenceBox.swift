// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// The object of a sequence's handle.
final class SequenceBox: Sendable {
  private let state: Mutex<State>

  private struct State: Sendable {
    var type = MusicSequenceType.beats
    var tempoTrack: TrackBox?
    var tracks: [TrackBox] = []
    var callback: UserCallback?
    /// The graph that the program has set.
    var graph: Handle?
    /// The default graph, which is freed with the sequence.
    var ownGraph: Handle?
    var handle: Handle?
    var player: WeakReference<PlayerBox>?
    var outlet: TrackOutlet?
    var map: (edition: UInt64, type: MusicSequenceType, map: BeatMap)?
  }

  init() {
    state = Mutex(State())
    let tempoTrack = TrackBox(of: self, isTempoTrack: true)
    state.withLock { $0.tempoTrack = tempoTrack }
  }

  /// Adds the sequence and its tempo track to the table of handles.
  ///
  /// - Throws: `MemFullError` if the table is full.
  func makeHandle() throws(StatusError) -> OpaquePointer {
    _ = unsafe try tempoTrack.makeHandle()
    guard let handle = HandleTable.shared.add(self) else {
      tempoTrack.dispose()
      throw StatusError(kAudio_MemFullError)
    }
    state.withLock { $0.handle = handle }
    return unsafe handle.pointer
  }

  /// Removes the sequence and its tracks from the table of handles.
  ///
  /// - Throws: `CannotDoInCurrentContext` if it belongs to a player.
  func dispose() throws(StatusError) {
    let (handle, tracks, graph) = try state.withLock { (state) throws(StatusError) in
      if unsafe state.player?.object != nil {
        throw StatusError(kAudioToolboxErr_CannotDoInCurrentContext)
      }
      defer { (state.handle, state.tracks, state.ownGraph) = (nil, [], nil) }
      return (state.handle, state.tracks, state.ownGraph)
    }
    guard let handle, HandleTable.shared.remove(handle) else { throw .parameter }
    for track in tracks + [tempoTrack] { track.dispose() }
    unsafe TrackDestinations.graph(graph?.pointer)?.dismiss()
  }

  var pointer: OpaquePointer? { unsafe state.withLock { unsafe $0.handle?.pointer } }

  var tempoTrack: TrackBox {
    // Set by `init`.
    state.withLock { unsafe $0.tempoTrack.unsafelyUnwrapped }
  }

  var tracks: [TrackBox] { state.withLock { $0.tracks } }

  var type: MusicSequenceType { state.withLock { $0.type } }

  func setType(_ type: MusicSequenceType) {
    state.withLock { $0.type = type }
    noteEdit()
  }

  /// Adds a track after the existing tracks.
  ///
  /// - Throws: `MemFullError` if the table of handles is full.
  func addTrack() throws(StatusError) -> OpaquePointer {
    let track = TrackBox(of: self)
    let pointer = unsafe try track.makeHandle()
    state.withLock { $0.tracks.append(track) }
    noteEdit()
    return unsafe pointer
  }

  /// Removes a track.
  ///
  /// - Throws: `TrackNotFound` for the tempo track and for a track of another sequence.
  func removeTrack(_ track: TrackBox) throws(StatusError) {
    try state.withLock { (state) throws(StatusError) in
      guard let index = state.tracks.firstIndex(where: { $0 === track }) else {
        throw StatusError(kAudioToolboxErr_TrackNotFound)
      }
      state.tracks.remove(at: index)
    }
    track.dispose()
    noteEdit()
  }

  var callback: UserCallback? {
    get { state.withLock { $0.callback } }
    set { state.withLock { $0.callback = newValue } }
  }

  /// The destination of tracks that have none; nil for the graph.
  var outlet: TrackOutlet? {
    get { state.withLock { $0.outlet } }
    set { state.withLock { $0.outlet = newValue } }
  }

  /// Sets the graph; nil chooses the default graph.
  func setGraph(_ graph: AUGraph?) {
    state.withLock { $0.graph = unsafe Handle(graph) }
  }

  /// The graph that was set, or the default graph; nil if it cannot be created or the sequence was
  /// disposed of.
  func standardGraph() -> AUGraph? {
    unsafe state.withLock { state in
      if let graph = state.graph { return unsafe graph.pointer }
      guard state.handle != nil else { return nil }
      if unsafe TrackDestinations.graph(state.ownGraph?.pointer) == nil {
        state.ownGraph = unsafe Handle(TrackDestinations.makeStandardGraph())
      }
      return unsafe state.ownGraph?.pointer
    }
  }

  /// The tempo map.
  ///
  /// - Complexity: O(n) in the number of tempo events after an edit of the tempo track, otherwise
  ///   O(1).
  func beatMap() throws(StatusError) -> BeatMap {
    let content = try tempoTrack.content()
    let type = type
    if let known = state.withLock({ $0.map }), known.edition == content.edition,
      known.type == type
    {
      return known.map
    }
    let map = BeatMap(type, content.events)
    state.withLock { $0.map = (content.edition, type, map) }
    return map
  }

  /// Removes the sequence from its player.
  func detach() { state.withLock { $0.player = nil } }

  /// Adds the sequence to a player.
  ///
  /// - Throws: `CannotDoInCurrentContext` if it belongs to another player.
  func attach(_ player: PlayerBox?) throws(StatusError) {
    try state.withLock { (state) throws(StatusError) in
      if let player, let other = unsafe state.player?.object, other !== player {
        throw StatusError(kAudioToolboxErr_CannotDoInCurrentContext)
      }
      state.player = player.map { WeakReference($0) }
    }
  }

  /// The player of the sequence.
  var player: PlayerBox? { state.withLock { unsafe $0.player?.object } }

  /// Notifies the player of an edit.
  func noteEdit() { player?.noteEdit() }

  /// - Throws: `InvalidPlayerState` while the sequence is playing.
  func requireStanding() throws(StatusError) {
    if player?.isPlaying == true { throw StatusError(kAudioToolboxErr_InvalidPlayerState) }
  }
}

/// A function of a program, with its client data.
@safe struct UserCallback: @unchecked Sendable {
  // The program that sets the function is responsible for calls on a player's thread.
  let function: MusicSequenceUserCallback
  let data: UnsafeMutableRawPointer?
}
