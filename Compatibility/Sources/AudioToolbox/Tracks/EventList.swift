// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// The events of a track in order of time, in chunks that copies share until one of them is
/// changed.
///
/// Adding, removing and finding an event take O(log n), and at most a copy of one chunk. Events at
/// the same time keep the order in which they were added.
struct EventList: Sendable {
  private(set) var chunks: [EventChunk] = []
  private(set) var count = 0
  /// The serial number of the next event.
  private var nextSerial: UInt32 = 1

  /// A chunk and an offset in it; past the last event, the chunk is the number of chunks.
  struct Place: Hashable, BitwiseCopyable, Sendable {
    var chunk: Int
    var offset: Int
  }

  init() {}

  /// Creates a list from events in any order; events at the same time keep their order.
  init(sorting events: [BeatEvent]) {
    var events = events
    if !events.isSorted { events.sort { $0.time < $1.time } }
    fill(events)
  }

  private mutating func fill(_ events: [BeatEvent]) {
    var events = events
    // The new numbers are above all earlier ones, so an iterator finds the first event of its time.
    for index in events.indices { events[index].serial = takeSerial() }
    chunks = stride(from: 0, to: events.count, by: EventChunk.capacity / 2).map {
      EventChunk(events[$0..<min($0 + EventChunk.capacity / 2, events.count)])
    }
    count = events.count
  }

  private mutating func takeSerial() -> UInt32 {
    defer { nextSerial += 1 }
    return nextSerial
  }

  var isEmpty: Bool { count == 0 }

  /// The latest end of the events; 0 without events.
  ///
  /// - Complexity: O(n/512), unless many events were removed since the last call.
  var end: MusicTimeStamp { chunks.reduce(0) { max($0, $1.end) } }

  var endPlace: Place { Place(chunk: chunks.count, offset: 0) }
  var startPlace: Place { Place(chunk: 0, offset: 0) }

  /// The place of the first event at or after a key.
  func firstPlace(atOrAfter key: EventKey) -> Place {
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) >> 1
      if chunks[middle].last < key { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count else { return endPlace }
    return Place(chunk: low, offset: chunks[low].firstOffset(atOrAfter: key))
  }

  /// The place of the first event at or after a time.
  func firstPlace(atOrAfter time: MusicTimeStamp) -> Place {
    firstPlace(atOrAfter: .start(of: time))
  }

  subscript(place: Place) -> BeatEvent { chunks[place.chunk][place.offset] }

  func contains(_ place: Place) -> Bool { place.chunk < chunks.count }

  /// The place after a place that has an event.
  func place(after place: Place) -> Place {
    place.offset + 1 < chunks[place.chunk].count
      ? Place(chunk: place.chunk, offset: place.offset + 1)
      : Place(chunk: place.chunk + 1, offset: 0)
  }

  /// The place before another, or nil for the first place.
  func place(before place: Place) -> Place? {
    if place.offset > 0 { return Place(chunk: place.chunk, offset: place.offset - 1) }
    guard place.chunk > 0 else { return nil }
    return Place(chunk: place.chunk - 1, offset: chunks[place.chunk - 1].count - 1)
  }

  /// Adds an event after the events at its time.
  @discardableResult
  mutating func insert(_ event: BeatEvent) -> EventKey {
    if nextSerial == .max { renumber() }
    var event = event
    event.serial = takeSerial()
    count += 1
    guard !chunks.isEmpty else {
      chunks.append(EventChunk([event]))
      return event.key
    }
    var place = firstPlace(atOrAfter: event.key)
    if place.chunk == chunks.count {
      place = Place(chunk: place.chunk - 1, offset: chunks[place.chunk - 1].count)
    }
    own(place.chunk)
    if chunks[place.chunk].count == EventChunk.capacity {
      place = split(place)
    }
    chunks[place.chunk].insert(event, at: place.offset)
    return event.key
  }

  private mutating func renumber() {
    nextSerial = 1
    fill(all)
  }

  /// Copies a chunk if other lists share it.
  private mutating func own(_ chunk: Int) {
    if !isKnownUniquelyReferenced(&chunks[chunk]) { chunks[chunk] = chunks[chunk].copy() }
  }

  private mutating func split(_ place: Place) -> Place {
    // Events that are appended fill each chunk completely.
    if place.chunk == chunks.count - 1, place.offset == chunks[place.chunk].count {
      chunks.append(EventChunk())
      return Place(chunk: place.chunk + 1, offset: 0)
    }
    let upper = chunks[place.chunk].split()
    chunks.insert(upper, at: place.chunk + 1)
    let half = chunks[place.chunk].count
    guard place.offset > half else { return place }
    return Place(chunk: place.chunk + 1, offset: place.offset - half)
  }

  /// Removes the event at a place.
  mutating func remove(at place: Place) {
    own(place.chunk)
    chunks[place.chunk].remove(place.offset..<place.offset + 1)
    count -= 1
    if chunks[place.chunk].count == 0 { chunks.remove(at: place.chunk) }
  }

  /// Replaces the type and struct of an event; the event keeps its time.
  mutating func replace(at place: Place, with event: BeatEvent) {
    own(place.chunk)
    var event = event
    (event.time, event.serial) = (self[place].time, self[place].serial)
    chunks[place.chunk][place.offset] = event
  }
}

extension EventList {
  /// The events in order.
  var all: [BeatEvent] { events(from: startPlace, to: endPlace) }

  /// The events that begin in a half-open range.
  func events(in range: Range<MusicTimeStamp>) -> [BeatEvent] {
    events(
      from: firstPlace(atOrAfter: range.lowerBound), to: firstPlace(atOrAfter: range.upperBound))
  }

  private func events(from start: Place, to end: Place) -> [BeatEvent] {
    var result: [BeatEvent] = []
    var place = start
    while place.chunk < min(end.chunk + 1, chunks.count) {
      let limit = place.chunk == end.chunk ? end.offset : chunks[place.chunk].count
      chunks[place.chunk].append(place.offset..<limit, to: &result)
      place = Place(chunk: place.chunk + 1, offset: 0)
    }
    return result
  }

  /// Removes the events that begin in a half-open range.
  mutating func removeAll(in range: Range<MusicTimeStamp>) {
    let start = firstPlace(atOrAfter: range.lowerBound)
    let end = firstPlace(atOrAfter: range.upperBound)
    guard start != end else { return }
    for chunk in (start.chunk..<min(end.chunk + 1, chunks.count)).reversed() {
      let first = chunk == start.chunk ? start.offset : 0
      let limit = chunk == end.chunk ? end.offset : chunks[chunk].count
      count -= limit - first
      if first == 0, limit == chunks[chunk].count {
        chunks.remove(at: chunk)
      } else if first < limit {
        own(chunk)
        chunks[chunk].remove(first..<limit)
      }
    }
  }

  /// Adds events, each after the events at its time.
  mutating func insert(contentsOf events: [BeatEvent]) {
    guard events.count > 64, events.count > count / 64 else {
      for event in events { insert(event) }
      return
    }
    replaceAll(all + events)
  }

  /// Replaces all events; events at the same time keep their order.
  mutating func replaceAll(_ events: [BeatEvent]) {
    if UInt32(clamping: events.count) > .max - nextSerial { nextSerial = 1 }
    var events = events
    if !events.isSorted { events.sort { $0.time < $1.time } }
    fill(events)
  }
}

extension [BeatEvent] {
  fileprivate var isSorted: Bool {
    zip(self, dropFirst()).allSatisfy { $0.time <= $1.time }
  }
}
