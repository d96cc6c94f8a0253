// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// What stands behind an iterator's handle: a place in a track that stays right while the track is
/// edited.
///
/// As long as nobody edits the track a step is one along the events that it holds, without a lock.
/// Where the track was edited it looks for its event anew, by time and serial, and is on the one that
/// follows where that is gone.
@safe final class IteratorBox: @unchecked Sendable {
  // Unchecked: the table of handles lends it to one thread at a time.

  private let track: TrackBox
  // A look at the track's edition without counting references, which would take most of a step.
  private let unownedTrack: Unmanaged<TrackBox>
  /// The track's edition of which the rest tells.
  private var edition: UInt64 = 0
  /// The events among which it is, which nobody changes as long as they are held here; nil behind the
  /// last.
  private var chunk: EventChunk?
  private var place = EventList.Place(chunk: 0, offset: 0)
  private var chunkCount = 0
  /// The number of events in the chunk, 0 behind the last.
  private var eventCount = 0

  /// - Throws: where the track is gone.
  init(_ track: TrackBox) throws(StatusError) {
    self.track = track
    unsafe unownedTrack = Unmanaged.passUnretained(track)
    try move { events, _ in events.startPlace }
  }

  /// Goes to a place, by the one at which it is in the track as that is now.
  ///
  /// - Throws: what the body throws, and then it stays; where the track is gone.
  private func move(
    _ choose: (borrowing EventList, EventList.Place) throws(StatusError) -> EventList.Place
  ) throws(StatusError) {
    try track.read { (content) throws(StatusError) in
      self.stand(at: try choose(content.events, self.place(in: content)), in: content)
    }
  }

  /// Where its event is now, or the one that follows.
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

  /// Finds its event again where the track was edited.
  private func refresh() throws(StatusError) {
    let now = unsafe unownedTrack._withUnsafeGuaranteedRef { $0.edition.load(ordering: .acquiring) }
    if now != edition { try move { $1 } }
  }

  /// - Throws: where the track is gone.
  func seek(_ time: MusicTimeStamp) throws(StatusError) {
    try move { events, _ in events.firstPlace(atOrAfter: max(0, time)) }
  }

  /// - Throws: `EndOfTrack` behind the last event; where the track is gone.
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

  /// - Throws: `StartOfTrack` on the first event; where the track is gone.
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

  /// Whether there are events before, here, and after.
  ///
  /// - Throws: where the track is gone.
  func has() throws(StatusError) -> (previous: Bool, current: Bool, next: Bool) {
    try refresh()
    let next = place.offset + 1 < eventCount || place.chunk + 1 < chunkCount
    return (place.offset > 0 || place.chunk > 0, eventCount > 0, next)
  }

  /// The events among which it is, and where.
  ///
  /// - Throws: `EndOfTrack` behind the last event; where the track is gone.
  func current() throws(StatusError) -> (chunk: EventChunk, offset: Int) {
    try refresh()
    guard let chunk else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
    return (chunk, place.offset)
  }

  /// Changes the track where the iterator is, which is on the event of the key after that.
  ///
  /// - Throws: what the body throws; `EndOfTrack` behind the last event; where the track is gone.
  func edit(
    _ body: (inout EventList, EventList.Place) throws(StatusError) -> EventKey
  ) throws(StatusError) {
    try track.editSilently { (content) throws(StatusError) in
      let place = self.place(in: content)
      guard content.events.contains(place) else {
        throw StatusError(kAudioToolboxErr_EndOfTrack)
      }
      var key = content.events[place].key
      // Held, the events would be copied to be changed.
      self.chunk = nil
      defer { self.stand(at: content.events.firstPlace(atOrAfter: key), in: content) }
      key = try body(&content.events, place)
    }
  }

  /// The sequence, to be told of an edit.
  var sequence: SequenceBox? { track.sequence }
}
