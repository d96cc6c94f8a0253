// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicTrack {
  /// Reverses a range in time, like a tape that is played backward.
  ///
  /// A note that lies completely in the range moves to the mirrored position and keeps its
  /// duration. A note that crosses an end of the range does not move.
  ///
  /// Events that hold until the next event of their kind (programs, controllers, bends, pressures,
  /// tempo, meter, key signature, parameters, texts, user events) move to the start of their
  /// mirrored span, so that every instant has the same values as before. The tempo track's range
  /// therefore lasts exactly as many seconds as before. Values that apply at the start of the range
  /// are set again at the mirrored position at which they apply, and values that apply at its end
  /// are set again at the end. If a value was never set, the value after a reset is used.
  ///
  /// Events that set up a device or the track (SysEx, names, ports, SMPTE offset) do not move. The
  /// loop and the length are kept. If the last event now ends earlier, the length becomes explicit,
  /// so that it does not change. Events at the same tick keep their order.
  ///
  /// Reversing a range twice restores the track, except for the order of events that meet at a
  /// tick, and for values that were set again. After reversal, the ramp of a parameter ends at the
  /// start of its value's mirrored span.
  ///
  /// - Parameter range: The ticks, half open; the part after the end of the track is ignored.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  /// - Complexity: O(n log n).
  public mutating func reverse(_ range: Range<Tick>) throws(SequenceError) {
    try reverse(EditSpan(range, length: length))
  }

  mutating func reverse(_ span: EditSpan) throws(SequenceError) {
    guard span.length > 1 else { return }
    let first = records.firstIndex(atOrAfter: span.start)
    let end = records.firstIndex(atOrAfter: span.end)
    var mirror = Mirror(span, capacity: end - first)
    for (index, record) in records.records(in: first..<end).enumerated() {
      mirror.add(record, role: role(of: record), index: index)
    }
    guard !mirror.isEmpty else { return }
    var copy = self
    for record in records.records(in: 0..<first) {
      guard let role = role(of: record), mirror.has(role) else { continue }
      mirror.setValue(record, before: role)
    }
    try mirror.addResetValues(in: &copy)
    let later = records.firstIndex(atOrAfter: span.end + 1)
    let following = Set(records.records(in: end..<later).compactMap { role(of: $0) })
    let length = length
    let isWhole = span.start == 0 && span.end >= UInt64(length.value)
    // Nothing is in force after the last possible tick.
    let restores = !isWhole && span.end <= EventRecord.maximumTick
    let result = mirror.result(restoring: restores, unless: following)
    copy.setRecords(
      records.replacing(first..<end, with: result.inside).replacingFront(
        of: span.end, with: result.after))
    if copy.length < length { copy.explicitLength = length }
    self = copy
  }
}

extension RecordList {
  /// The list with records inserted before all others of a tick.
  func replacingFront(of tick: UInt64, with records: [EventRecord]) -> RecordList {
    let index = firstIndex(atOrAfter: tick)
    return records.isEmpty ? self : replacing(index..<index, with: records)
  }
}

/// Collects the records of a range at their mirrored positions.
private struct Mirror {
  private let span: EditSpan
  /// Records at their new ticks, each with its index in the range.
  private var placed: [(record: EventRecord, order: Int)] = []
  private var spans: [EventRole: [Group]] = [:]
  /// The roles, in the order in which they first appear.
  private var roles: [EventRole] = []
  private var before: [EventRole: EventRecord] = [:]

  /// The events of one role at one tick.
  fileprivate struct Group {
    let tick: UInt64
    var events: [(record: EventRecord, order: Int)]
  }

  init(_ span: EditSpan, capacity: Int) {
    self.span = span
    placed.reserveCapacity(capacity)
  }

  var isEmpty: Bool { placed.isEmpty && roles.isEmpty }

  func has(_ role: EventRole) -> Bool { spans[role] != nil }

  mutating func add(_ record: EventRecord, role: EventRole?, index: Int) {
    guard let role else {
      placed.append((mirrored(record), index))
      return
    }
    if spans[role] == nil { roles.append(role) }
    spans[role, default: []].append(record, order: index)
  }

  private func mirrored(_ record: EventRecord) -> EventRecord {
    guard record.isNote, record.endTick <= span.end else { return record }
    var copy = record
    // A note without a duration is mirrored as one of one tick, so that it stays in the range.
    copy.tick = span.start + span.end - record.tick - max(record.duration, 1)
    return copy.releasedFirst
  }

  mutating func setValue(_ record: EventRecord, before role: EventRole) {
    before[role] = record
  }

  /// Gives roles without a value before their first event the value after a reset.
  mutating func addResetValues(in track: inout MusicTrack) throws(SequenceError) {
    for role in roles where before[role] == nil && firstTick(of: role) > span.start {
      guard let content = role.resetValue else { continue }
      let tick = Tick(Int64(span.start))
      before[role] = try track.record(for: TrackEvent(content, at: tick))
    }
  }

  private func firstTick(of role: EventRole) -> UInt64 { spans[role]?.first?.tick ?? span.end }

  /// The records of the mirrored range, and the records that restore values at its end.
  consuming func result(
    restoring: Bool, unless following: Set<EventRole>
  ) -> (inside: [EventRecord], after: [EventRecord]) {
    // Moved instead of copied, because there can be millions.
    var all: [(record: EventRecord, order: Int)] = []
    swap(&all, &placed)
    var after: [EventRecord] = []
    for role in roles {
      guard let groups = spans[role] else { continue }
      var next = span.end
      for group in groups.reversed() {
        let tick = span.start + span.end - next
        all += group.events.map { (at(tick, $0.record), $0.order) }
        next = group.tick
      }
      guard role.isValue else { continue }
      // The value before the first event holds at the end of the mirrored range.
      if let value = before[role], next > span.start {
        all.append((at(span.start + span.end - next, value), -1))
      }
      if restoring, !following.contains(role), let last = groups.last?.events.last {
        after.append(at(span.end, last.record))
      }
    }
    all.sort { ($0.record.tick, $0.order) < ($1.record.tick, $1.order) }
    return (all.map(\.record), after)
  }

  private func at(_ tick: UInt64, _ record: EventRecord) -> EventRecord {
    var copy = record
    copy.tick = tick
    return copy
  }
}

extension [Mirror.Group] {
  /// Adds a record to the group of its tick.
  fileprivate mutating func append(_ record: EventRecord, order: Int) {
    if let last = indices.last, self[last].tick == record.tick {
      self[last].events.append((record, order))
    } else {
      append(Mirror.Group(tick: record.tick, events: [(record, order)]))
    }
  }
}
