// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
public import MusicalTime

extension MusicTrack {
  /// The events, in order of tick.
  public var events: Events { Events(track: self) }

  /// The events of a track as a collection.
  ///
  /// Each event is built on access.
  public struct Events: RandomAccessCollection, Sendable {
    let track: MusicTrack

    /// The index of the first event.
    public var startIndex: Int { 0 }
    /// The index after the last event.
    public var endIndex: Int { track.count }

    /// The event at an index.
    ///
    /// - Complexity: O(log n), plus the length of the payload.
    public subscript(index: Int) -> TrackEvent { track.event(for: track.records[index]) }
  }

  /// Returns the index of the first event at or after a tick, or `count` if all events are earlier.
  ///
  /// - Complexity: O(log n).
  public func firstIndex(atOrAfter tick: Tick) -> Int {
    tick.value <= 0 ? 0 : records.firstIndex(atOrAfter: UInt64(tick.value))
  }

  /// Returns the bytes of the track's first text of a type, or nil if it does not have one.
  ///
  /// - Complexity: O(n).
  public func firstText(_ type: MetaEvent.TextType) -> [UInt8]? {
    for record in records where record.status == EventRecord.meta && record.data1 == type.rawValue {
      return Array(payloads.payload(of: record))
    }
    return nil
  }

  func event(for record: EventRecord) -> TrackEvent {
    TrackEvent(content(of: record), at: Tick(Int64(record.tick)))
  }

  private func content(of record: EventRecord) -> TrackEvent.Content {
    if record.isNote { return .note(Note(record)) }
    if record.isChannelMessage { return .message(Message(record)) }
    let bytes = Array(payloads.payload(of: record))
    switch record.status {
    case EventRecord.sysEx: return .sysEx(bytes)
    case EventRecord.packet: return .packet(bytes)
    case EventRecord.user: return .user(bytes)
    case EventRecord.parameter:
      return ParameterEvent(bytes: bytes).map { .parameter($0) } ?? .user(bytes)
    default: return .meta(MetaEvent(type: record.data1, bytes: bytes))
    }
  }
}

extension MusicTrack {
  /// Adds an event after the existing events of its tick.
  ///
  /// - Returns: The index of the event.
  /// - Throws: `SequenceError.beforeOrigin`; `SequenceError.outOfRange` if a velocity, duration or
  ///   tick is out of range.
  /// - Complexity: O(√n) in practice: one chunk of at most 1,024 events is moved.
  @discardableResult
  public mutating func insert(_ event: TrackEvent) throws(SequenceError) -> Int {
    let record = try record(for: event)
    source = nil
    return records.insert(record)
  }

  /// Adds an event after the existing events of its tick.
  ///
  /// - Returns: The index of the event.
  /// - Throws: The errors of `insert(_:)`.
  @discardableResult
  public mutating func insert(
    _ content: TrackEvent.Content, at tick: Tick
  ) throws(SequenceError) -> Int {
    try insert(TrackEvent(content, at: tick))
  }

  /// Adds several events, each after the existing events of its tick.
  ///
  /// - Throws: The errors of `insert(_:)`; the track is then unchanged.
  /// - Complexity: O((n + m) log (n + m)) for m new events.
  public mutating func insert(
    contentsOf events: some Sequence<TrackEvent>
  ) throws(SequenceError) {
    var copy = self
    var all = Array(records)
    for event in events { all.append(try copy.record(for: event)) }
    copy.records = RecordList(sorting: all)
    copy.source = nil
    self = copy
  }

  /// Removes and returns the event at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> TrackEvent {
    let event = events[index]
    source = nil
    records.remove(at: index)
    return event
  }

  /// Replaces the event at an index.
  ///
  /// The new event can have another tick.
  ///
  /// - Returns: The new index.
  /// - Throws: The errors of `insert(_:)`; the track is then unchanged.
  @discardableResult
  public mutating func replace(
    at index: Int, with event: TrackEvent
  ) throws(SequenceError) -> Int {
    let record = try record(for: event).releasedLike(records[index])
    source = nil
    if records[index].tick == record.tick {
      records[index] = record
      return index
    }
    records.remove(at: index)
    return records.insert(record)
  }
}
