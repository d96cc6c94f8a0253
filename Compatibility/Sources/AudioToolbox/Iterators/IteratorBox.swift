// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import Synchronization

/// What stands behind an iterator's handle: a place in a track that stays right while the track is
/// edited.
///
/// It remembers time and serial of the event that it is on: where the track was edited by others it
/// looks for that event anew, and is on the one that follows where it is gone.
final class IteratorBox: Sendable {
  let track: TrackBox
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The event that it is on; nil behind the last.
    var key: EventKey?
    var place: EventList.Place
    var edition: UInt64
  }

  init(_ track: TrackBox) throws(StatusError) {
    let state = try track.read { (content) throws(StatusError) in
      State(
        key: content.events.chunks.first?.key(at: 0), place: content.events.startPlace,
        edition: content.edition)
    }
    self.track = track
    self.state = Mutex(state)
  }

  /// Looks at the track from where the iterator is, and says where it is then.
  ///
  /// - Throws: what the body throws; where the track is gone.
  func read<Result: Sendable>(
    _ body: (borrowing EventList, inout EventList.Place) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    try track.read { (content) throws(StatusError) in
      try state.withLock { (state) throws(StatusError) in
        Self.find(&state, in: content)
        let before = state.place
        let result = try body(content.events, &state.place)
        if state.place != before { Self.note(&state, in: content.events) }
        return result
      }
    }
  }

  /// Changes the track where the iterator is; the place is that of the event that it is on then.
  ///
  /// - Throws: what the body throws; `EndOfTrack` behind the last event; where the track is gone.
  func edit(
    _ body: (inout EventList, EventList.Place) throws(StatusError) -> EventKey
  ) throws(StatusError) {
    try track.edit { (content) throws(StatusError) in
      try state.withLock { (state) throws(StatusError) in
        Self.find(&state, in: content)
        guard content.events.contains(state.place) else {
          throw StatusError(kAudioToolboxErr_EndOfTrack)
        }
        let key = try body(&content.events, state.place)
        state.place = content.events.firstPlace(atOrAfter: key)
        state.edition = content.edition
        Self.note(&state, in: content.events)
      }
    }
  }

  private static func find(_ state: inout State, in content: borrowing TrackContent) {
    guard state.edition != content.edition else { return }
    state.place =
      state.key.map { content.events.firstPlace(atOrAfter: $0) } ?? content.events.endPlace
    state.edition = content.edition
    note(&state, in: content.events)
  }

  private static func note(_ state: inout State, in events: borrowing EventList) {
    state.key =
      events.contains(state.place)
      ? events.chunks[state.place.chunk].key(at: state.place.offset) : nil
  }
}
