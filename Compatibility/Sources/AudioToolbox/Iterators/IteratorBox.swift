// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// The object of an iterator's handle: a position in a track that stays valid while the track is
/// edited.
///
/// Until the track is edited, a step moves along the current chunk of events, without a lock. After
/// an edit the iterator finds its event again by time and serial number. If the event was removed,
/// the iterator moves to the next event.
@safe final class IteratorBox: @unchecked Sendable {
  // Unchecked: the table of handles lends the iterator to one thread at a time.

  private let track: TrackBox
  // Reads the track's edition without counting references, which would take most of a step.
  private let unownedTrack: Unmanaged<TrackBox>
  /// The edition of the track to which the other properties belong.
  private var edition: UInt64 = 0
  /// The chunk of the current event, which does not change while it is referenced here; nil behind
  /// the last event.
  private var chunk: EventChunk?
  private var place = EventList.Place(chunk: 0, offset: 0)
  private var chunkCount = 0
  /// The number of events in the chunk; 0 past the last event.
  private var eventCount = 0

  /// - Throws: `ParamError` if the track was disposed of.
  init(_ track: TrackBox) throws(StatusError) {
    self.track = track
    unsafe unownedTrack = Unmanaged.passUnretained(track)
    try move { events, _ in events.startPlace }
  }

  /// Moves to a place that is chosen from the current place in the track.
  ///
  /// - Throws: the error of `choose`, without moving; `ParamError` if the track was disposed of.
  private func move(
    _ choose: (borrowing EventList, EventList.Place) throws(StatusError) -> EventList.Place
  ) throws(StatusError) {
    try track.read { (content) throws(StatusError) in
      self.stand(at: try choose(content.events, self.place(in: content)), in: content)
    }
  }

  /// The current place of the iterator's event or, if it was removed, of the next event.
  private func place(in content: borrowing TrackContent) -> EventList.Place {
    guard content.edition != edition else { return place }
    return chunk.map { content.events.firstPlace(atOrAfter: $0.key(at: place.offset)) }
      ?? content.events.endPlace
  }

  private func stand(at place: EventList.Place, in content: borrowing TrackContent) {
    self.place = place
    edition = content.edition
    chunkCount = content.events.chunks.count
    chunk = place.chunk < chunkCount ? content.events.chunks[place.chunk] : nil
    eventCount = chunk?.count ?? 0
  }

  /// Finds the event again if the track was edited.
  private func refresh() throws(StatusError) {
    let now = unsafe unownedTrack._withUnsafeGuaranteedRef { $0.edition.load(ordering: .acquiring) }
    if now != edition { try move { $1 } }
  }

  /// - Throws: `ParamError` if the track was disposed of.
  func seek(_ time: MusicTimeStamp) throws(StatusError) {
    try move { events, _ in events.firstPlace(atOrAfter: max(0, time)) }
  }

  /// - Throws: `EndOfTrack` past the last event; `ParamError` if the track was disposed of.
  func next() throws(StatusError) {
    try refresh()
    if place.offset + 1 < eventCount {
      place.offset += 1
      return
    }
    try move { (events, place) throws(StatusError) in
      guard events.contains(place) else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
      return events.place(after: place)
    }
  }

  /// - Throws: `StartOfTrack` on the first event; `ParamError` if the track was disposed of.
  func previous() throws(StatusError) {
    try refresh()
    if place.offset > 0 {
      place.offset -= 1
      return
    }
    try move { (events, place) throws(StatusError) in
      guard let previous = events.place(before: place) else {
        throw StatusError(kAudioToolboxErr_StartOfTrack)
      }
      return previous
    }
  }

  /// True for each of: events before the current one, a current event, events after it.
  ///
  /// - Throws: `ParamError` if the track was disposed of.
  func has() throws(StatusError) -> (previous: Bool, current: Bool, next: Bool) {
    try refresh()
    let next = place.offset + 1 < eventCount || place.chunk + 1 < chunkCount
    return (place.offset > 0 || place.chunk > 0, eventCount > 0, next)
  }

  /// The chunk of the current event, and the event's offset in it.
  ///
  /// - Throws: `EndOfTrack` past the last event; `ParamError` if the track was disposed of.
  func current() throws(StatusError) -> (chunk: EventChunk, offset: Int) {
    try refresh()
    guard let chunk else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
    return (chunk, place.offset)
  }

  /// Edits the track at the iterator's place; then the iterator is on the event whose key is
  /// returned.
  ///
  /// - Throws: the error of `body`; `EndOfTrack` past the last event; `ParamError` if the track
  ///   was disposed of.
  func edit(
    _ body: (inout EventList, EventList.Place) throws(StatusError) -> EventKey
  ) throws(StatusError) {
    try track.editSilently { (content) throws(StatusError) in
      let place = self.place(in: content)
      guard content.events.contains(place) else {
        throw StatusError(kAudioToolboxErr_EndOfTrack)
      }
      var key = content.events[place].key
      // If the chunk were referenced here, it would be copied before the change.
      self.chunk = nil
      defer { self.stand(at: content.events.firstPlace(atOrAfter: key), in: content) }
      key = try body(&content.events, place)
    }
  }

  /// The sequence, which has to be notified of an edit.
  var sequence: SequenceBox? { track.sequence }
}
