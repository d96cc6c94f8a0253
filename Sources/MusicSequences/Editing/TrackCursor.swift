// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A walk over the events of a track that edits them on the way.
///
/// The walk is over the events that the track had when the walk began, each of them once, whatever
/// is edited: an event that was removed, replaced or moved does not make the next one be skipped,
/// and what was moved ahead or inserted is not met again. `finish` gives the edited track.
/// ```
/// var cursor = TrackCursor(track)
/// while let event = cursor.next() {
///   if case .note(let note) = event.content, note.velocity < 8 { cursor.remove() }
/// }
/// track = try cursor.finish()
/// ```
/// Only this cursor knows its edits; an edit of the track itself does not disturb it.
///
/// - Note: One thread at a time.
public struct TrackCursor: Sendable {
  private let track: MusicTrack
  private let indices: Range<Int>
  /// The index that `next` gives next.
  private var position: Int
  private var place: Int?
  private var edits: [Int: Edit] = [:]

  private struct Edit {
    var before: [TrackEvent] = []
    var content: Content = .asItWas
    var after: [TrackEvent] = []
  }

  private enum Content {
    case asItWas
    case removed
    case changed(TrackEvent)
  }

  /// Creates a cursor before the first event that begins in a range.
  ///
  /// - Complexity: O(log n).
  public init(_ track: MusicTrack, in range: Range<Tick> = .allTicks) {
    self.track = track
    indices = track.records.indices(in: EditSpan(range, length: Tick(.max)))
    position = indices.lowerBound
  }

  /// The event the cursor is on, as it is now; nil before the first and after the last event,
  /// and where it was removed.
  public var current: TrackEvent? { place.flatMap(event) }

  private func event(at index: Int) -> TrackEvent? {
    switch edits[index]?.content ?? .asItWas {
    case .asItWas: track.events[index]
    case .removed: nil
    case .changed(let event): event
    }
  }

  /// Goes to the next event of the walk, passing over those that were removed.
  ///
  /// - Returns: The event as it is now, or nil after the last one; the cursor is then at the end.
  public mutating func next() -> TrackEvent? {
    while position < indices.upperBound {
      place = position
      position += 1
      if let event = current { return event }
    }
    place = nil
    return nil
  }

  /// Goes back to the event before, passing over those that were removed.
  ///
  /// - Returns: The event as it is now, or nil before the first; the cursor is then at the
  ///   beginning.
  public mutating func previous() -> TrackEvent? {
    var index = place ?? position
    while index > indices.lowerBound {
      index -= 1
      place = index
      position = index + 1
      if let event = current { return event }
    }
    position = indices.lowerBound
    place = nil
    return nil
  }

  /// Goes before the first event that stood at or after a tick when the walk began.
  ///
  /// - Complexity: O(log n).
  public mutating func locate(to tick: Tick) {
    let index = track.firstIndex(atOrAfter: tick)
    position = min(max(index, indices.lowerBound), indices.upperBound)
    place = nil
  }

  /// Removes the event the cursor is on; `next` gives the one that followed it.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func remove() {
    edits[onEvent(), default: Edit()].content = .removed
  }

  /// Puts another content in the place of the event the cursor is on.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func replace(with content: TrackEvent.Content) {
    let index = onEvent()
    guard let event = event(at: index) else { return }
    edits[index, default: Edit()].content = .changed(TrackEvent(content, at: event.tick))
  }

  /// Moves the event the cursor is on.
  ///
  /// The cursor stays on the event; `next` gives the one that followed it in its old place. Events
  /// that meet at a tick keep the order of the walk: an event that is moved later comes before
  /// those of its new tick, one that is moved earlier comes after them.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func move(to tick: Tick) {
    let index = onEvent()
    guard var event = event(at: index) else { return }
    event.tick = tick
    edits[index, default: Edit()].content = .changed(event)
  }

  /// Adds an event at its own tick; at the tick of the current event, right before that event.
  ///
  /// - Precondition: The cursor is on an event, which may have been removed.
  public mutating func insertBefore(_ event: TrackEvent) {
    edits[onEvent(), default: Edit()].before.append(event)
  }

  /// Adds an event at its own tick; at the tick of the current event, right after that event and
  /// after those that were added in this way before.
  ///
  /// - Precondition: The cursor is on an event, which may have been removed.
  public mutating func insertAfter(_ event: TrackEvent) {
    edits[onEvent(), default: Edit()].after.append(event)
  }

  private func onEvent() -> Int {
    guard let place else { preconditionFailure("the cursor is not on an event (call next first)") }
    return place
  }

  /// The track with all edits.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, or `SequenceError.outOfRange` for a value that does
  ///   not fit its field.
  /// - Complexity: O(n + k log k) for k edits.
  public func finish() throws(SequenceError) -> MusicTrack {
    guard !edits.isEmpty else { return track }
    var copy = track
    var records: [EventRecord] = []
    records.reserveCapacity(track.count + edits.count)
    for (index, record) in track.records.all.enumerated() {
      guard let edit = edits[index] else {
        records.append(record)
        continue
      }
      for event in edit.before { records.append(try copy.record(for: event)) }
      switch edit.content {
      case .asItWas: records.append(record)
      case .removed: break
      case .changed(let event):
        records.append(try copy.record(for: event).releasedLike(record))
      }
      for event in edit.after { records.append(try copy.record(for: event)) }
    }
    copy.setRecords(RecordList(inOrder: sortedByTick(records)))
    return copy
  }
}

extension MusicTrack {
  /// Walks over the events that begin in a range, and takes the edits made on the way; where the
  /// body or an edit throws, the track is as it was.
  ///
  /// - Throws: What the body throws; as `TrackCursor.finish()`.
  /// - Complexity: O(n + k log k) for k edits.
  public mutating func edit(
    _ range: Range<Tick> = .allTicks, _ body: (inout TrackCursor) throws -> Void
  ) throws {
    var cursor = TrackCursor(self, in: range)
    try body(&cursor)
    self = try cursor.finish()
  }
}
