// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// The object of a track's handle.
final class TrackBox: Sendable {
  let isTempoTrack: Bool
  // The sequence owns its tracks.
  private let owner: WeakReference<SequenceBox>
  private let state = Mutex(State())
  /// A number that changes with each edit of the events, and when the track is disposed of.
  let edition = Atomic<UInt64>(0)

  private struct State: Sendable {
    var content = TrackContent()
    var handle: Handle?
    var isGone = false
  }

  init(of sequence: SequenceBox, isTempoTrack: Bool = false) {
    owner = WeakReference(sequence)
    self.isTempoTrack = isTempoTrack
  }

  /// The sequence, or nil after it was freed.
  var sequence: SequenceBox? { unsafe owner.object }

  /// The current content.
  ///
  /// - Throws: `ParamError` if the track was disposed of.
  func content() throws(StatusError) -> TrackContent {
    try read { (content) throws(StatusError) in content }
  }

  /// Reads the content.
  ///
  /// - Throws: the error of `body`; `ParamError` if the track was disposed of.
  func read<Result: Sendable>(
    _ body: (borrowing TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    try state.withLock { (state) throws(StatusError) in
      if state.isGone { throw .parameter }
      return try body(state.content)
    }
  }

  /// Changes the content, and notifies the player.
  ///
  /// - Throws: the error of `body`; `ParamError` if the track was disposed of.
  func edit<Result: Sendable>(
    _ body: (inout TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    let result = try editSilently(body)
    sequence?.noteEdit()
    return result
  }

  /// Changes the content; the caller notifies the sequence later.
  ///
  /// - Throws: the errors of `edit`.
  func editSilently<Result: Sendable>(
    _ body: (inout TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    try state.withLock { (state) throws(StatusError) in
      if state.isGone { throw .parameter }
      defer { edition.store(state.content.edition, ordering: .releasing) }
      return try body(&state.content)
    }
  }

  /// Adds the track to the table of handles.
  ///
  /// - Throws: `MemFullError` if the table is full.
  func makeHandle() throws(StatusError) -> OpaquePointer {
    let handle = HandleTable.shared.add(self)
    guard let handle else { throw StatusError(kAudio_MemFullError) }
    state.withLock { $0.handle = handle }
    return unsafe handle.pointer
  }

  /// The handle.
  var pointer: OpaquePointer? { unsafe state.withLock { unsafe $0.handle?.pointer } }

  /// Removes the track from the table of handles; its events are freed, and iterators fail.
  func dispose() {
    let (handle, events) = state.withLock { state in
      defer {
        state.isGone = true
        edition.store(.max, ordering: .releasing)
        state.content = TrackContent()
        state.handle = nil
      }
      return (state.handle, state.content.events)
    }
    if let handle { HandleTable.shared.remove(handle) }
    // Freed without the lock.
    withExtendedLifetime(events) {}
  }
}

/// A reference that does not keep the object alive.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  // Set once; Swift guards the weak reference itself.
  nonisolated(unsafe) private(set) weak var object: Object?

  init(_ object: Object) {
    unsafe self.object = object
  }
}
