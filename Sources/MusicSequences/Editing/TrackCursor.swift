// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An iterator over the events of a track that can edit them.
///
/// The cursor visits each original event of the track exactly once. Removing, replacing or moving
/// an event does not skip the next one, and events that were moved ahead or inserted are not
/// visited again. `finish` returns the edited track.
/// ```
/// var cursor = TrackCursor(track)
/// while let event = cursor.next() {
///   if case .note(let note) = event.content, note.velocity < 8 { cursor.remove() }
/// }
/// track = try cursor.finish()
/// ```
/// The cursor has a copy of the track, so later changes of the original do not affect it.
///
/// - Note: Use a cursor from one thread at a time.
public struct TrackCursor: Sendable {
  private let track: MusicTrack
  private let indices: Range<Int>
  /// The index that `next` returns next.
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

  /// Creates a cursor before the first event that begins in a range; by default before all events.
  ///
  /// - Complexity: O(log n).
  public init(_ track: MusicTrack, in range: Range<Tick> = .allTicks) {
    self.track = track
    indices = track.records.indices(in: EditSpan(range, length: Tick(.max)))
    position = indices.lowerBound
  }

  /// The current event with its edits.
  ///
  /// Nil before the first and after the last event, and if the event was removed.
  public var current: TrackEvent? { place.flatMap(event) }

  private func event(at index: Int) -> TrackEvent? {
    switch edits[index]?.content ?? .asItWas {
    case .asItWas: track.events[index]
    case .removed: nil
    case .changed(let event): event
    }
  }

  /// Advances to the next event, skipping those that were removed.
  ///
  /// - Returns: The event with its edits, or nil after the last; the cursor is then at the end.
  public mutating func next() -> TrackEvent? {
    while position < indices.upperBound {
      place = position
      position += 1
      if let event = current { return event }
    }
    place = nil
    return nil
  }

  /// Goes back to the previous event, skipping those that were removed.
  ///
  /// - Returns: The event with its edits, or nil before the first; the cursor is then at the
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

  /// Moves the cursor before the first event whose original tick is at or after a tick.
  ///
  /// - Complexity: O(log n).
  public mutating func locate(to tick: Tick) {
    let index = track.firstIndex(atOrAfter: tick)
    position = min(max(index, indices.lowerBound), indices.upperBound)
    place = nil
  }

  /// Removes the current event.
  ///
  /// `next` then returns the event after it.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func remove() {
    edits[onEvent(), default: Edit()].content = .removed
  }

  /// Replaces the content of the current event.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func replace(with content: TrackEvent.Content) {
    let index = onEvent()
    guard let event = event(at: index) else { return }
    edits[index, default: Edit()].content = .changed(TrackEvent(content, at: event.tick))
  }

  /// Moves the current event to another tick.
  ///
  /// The cursor stays on the event, and `next` returns the event that followed its old position.
  /// Events at one tick keep the order of the original track: an event that is moved later is
  /// placed before the events at its new tick, and one that is moved earlier is placed after them.
  ///
  /// - Precondition: The cursor is on an event.
  public mutating func move(to tick: Tick) {
    let index = onEvent()
    guard var event = event(at: index) else { return }
    event.tick = tick
    edits[index, default: Edit()].content = .changed(event)
  }

  /// Adds an event at the tick of `event`.
  ///
  /// If that is the tick of the current event, the new event is placed directly before the current
  /// event.
  ///
  /// - Precondition: The cursor is on an event, which may have been removed.
  public mutating func insertBefore(_ event: TrackEvent) {
    edits[onEvent(), default: Edit()].before.append(event)
  }

  /// Adds an event at the tick of `event`.
  ///
  /// If that is the tick of the current event, the new event is placed directly after the current
  /// event and the events already inserted after it.
  ///
  /// - Precondition: The cursor is on an event, which may have been removed.
  public mutating func insertAfter(_ event: TrackEvent) {
    edits[onEvent(), default: Edit()].after.append(event)
  }

  private func onEvent() -> Int {
    guard let place else { preconditionFailure("the cursor is not on an event (call next first)") }
    return place
  }

  /// Applies the edits and returns the resulting track.
  ///
  /// - Throws: `SequenceError.beforeOrigin`, or `SequenceError.outOfRange` if a value does not fit
  ///   into its field.
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
  /// Edits the events that begin in a range with a cursor.
  ///
  /// If the body or an edit throws an error, the track is unchanged.
  ///
  /// - Throws: The errors of the body and of `TrackCursor.finish()`.
  /// - Complexity: O(n + k log k) for k edits.
  public mutating func edit(
    _ range: Range<Tick> = .allTicks, _ body: (inout TrackCursor) throws -> Void
  ) throws {
    var cursor = TrackCursor(self, in: range)
    try body(&cursor)
    self = try cursor.finish()
  }
}
