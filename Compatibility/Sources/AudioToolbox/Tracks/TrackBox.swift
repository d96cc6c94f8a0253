// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// What stands behind a track's handle.
final class TrackBox: Sendable {
  let isTempoTrack: Bool
  // The sequence holds its tracks.
  private let owner: WeakReference<SequenceBox>
  private let state = Mutex(State())
  /// Another number after every change of the events, and when the track is gone.
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

  /// The sequence; nil once it is gone.
  var sequence: SequenceBox? { unsafe owner.object }

  /// The content as it is now.
  ///
  /// - Throws: where the track is gone.
  func content() throws(StatusError) -> TrackContent {
    try read { (content) throws(StatusError) in content }
  }

  /// Reads the content.
  ///
  /// - Throws: what the body throws; where the track is gone.
  func read<Result: Sendable>(
    _ body: (borrowing TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    try state.withLock { (state) throws(StatusError) in
      if state.isGone { throw .parameter }
      return try body(state.content)
    }
  }

  /// Changes the content, and tells a player of it.
  ///
  /// - Throws: what the body throws; where the track is gone.
  func edit<Result: Sendable>(
    _ body: (inout TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    let result = try editSilently(body)
    sequence?.noteEdit()
    return result
  }

  /// Changes the content; whoever does so tells the sequence of it later.
  ///
  /// - Throws: as `edit`.
  func editSilently<Result: Sendable>(
    _ body: (inout TrackContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    try state.withLock { (state) throws(StatusError) in
      if state.isGone { throw .parameter }
      defer { edition.store(state.content.edition, ordering: .releasing) }
      return try body(&state.content)
    }
  }

  /// Puts the track into the table of handles.
  ///
  /// - Throws: where the table is full.
  func makeHandle() throws(StatusError) -> OpaquePointer {
    let handle = HandleTable.shared.add(self)
    guard let handle else { throw StatusError(kAudio_MemFullError) }
    state.withLock { $0.handle = handle }
    return unsafe handle.pointer
  }

  /// The handle.
  var pointer: OpaquePointer? { unsafe state.withLock { unsafe $0.handle?.pointer } }

  /// Takes the track out of the table; its events go, iterators find nothing.
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
    // Freed outside of the lock.
    withExtendedLifetime(events) {}
  }
}

/// An object as long as others hold it.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  // Set once; Swift guards the weak reference itself.
  nonisolated(unsafe) private(set) weak var object: Object?

  init(_ object: Object) {
    unsafe self.object = object
  }
}
