// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
public import MusicalTime

extension MusicTrack {
  /// The events, in order of tick.
  public var events: Events { Events(track: self) }

  /// The events of a track as a collection; each is built when it is asked for.
  public struct Events: RandomAccessCollection, Sendable {
    let track: MusicTrack

    /// The index of the first event.
    public var startIndex: Int { 0 }
    /// The index after the last event.
    public var endIndex: Int { track.count }

    /// The event at an index.
    ///
    /// - Complexity: O(log n), and the length of a payload.
    public subscript(index: Int) -> TrackEvent { track.event(for: track.records[index]) }
  }

  /// The index of the first event at or after a tick; `count` where there is none.
  ///
  /// - Complexity: O(log n).
  public func firstIndex(atOrAfter tick: Tick) -> Int {
    tick.value <= 0 ? 0 : records.firstIndex(atOrAfter: UInt64(tick.value))
  }

  /// The first text of a type within the track.
  ///
  /// - Complexity: O(n) where there is none.
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
  /// Adds an event after those of its tick.
  ///
  /// - Returns: its index.
  /// - Throws: `SequenceError.beforeOrigin`; `SequenceError.outOfRange` for a velocity, duration
  ///   or tick its field cannot hold.
  /// - Complexity: O(√n) in practice: one chunk of at most 1,024 events moves.
  @discardableResult
  public mutating func insert(_ event: TrackEvent) throws(SequenceError) -> Int {
    let record = try record(for: event)
    source = nil
    return records.insert(record)
  }

  /// Adds an event after those of its tick.
  ///
  /// - Throws: as `insert(_:)`.
  @discardableResult
  public mutating func insert(
    _ content: TrackEvent.Content, at tick: Tick
  ) throws(SequenceError) -> Int {
    try insert(TrackEvent(content, at: tick))
  }

  /// Adds many events at once, each after those of its tick.
  ///
  /// - Throws: as `insert(_:)`; the track is then as it was.
  /// - Complexity: O((n + m) log (n + m)).
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

  /// Removes the event at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> TrackEvent {
    let event = events[index]
    source = nil
    records.remove(at: index)
    return event
  }

  /// Replaces the event at an index by another, which takes its place by its own tick.
  ///
  /// - Returns: the new index.
  /// - Throws: as `insert(_:)`; the track is then as it was.
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
