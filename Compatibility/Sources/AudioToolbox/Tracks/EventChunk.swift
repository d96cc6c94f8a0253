// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import Synchronization

/// At most 512 events in order, at a fixed address.
///
/// A shared chunk must not be changed: `EventList` copies it first.
@safe final class EventChunk: @unchecked Sendable {
  static let capacity = 512

  private let base: UnsafeMutablePointer<BeatEvent>
  private(set) var count = 0
  /// The latest end of the events, as bits; not a number until a thread computes it.
  private let knownEnd = Atomic(unknown)
  private static let unknown = MusicTimeStamp.nan.bitPattern

  init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: Self.capacity)
  }

  /// Copies events into a new chunk.
  convenience init(_ events: some Collection<BeatEvent>) {
    self.init()
    for event in events {
      unsafe (base + count).initialize(to: event)
      count += 1
    }
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  /// Passes the events to a closure; without it, the object might be freed after its last use.
  private func lend<Result>(_ body: (UnsafeMutablePointer<BeatEvent>) -> Result) -> Result {
    withExtendedLifetime(self) { unsafe body(base) }
  }

  func copy() -> EventChunk {
    var events: [BeatEvent] = []
    append(0..<count, to: &events)
    return EventChunk(events)
  }

  /// Copies a range of events to a list.
  func append(_ range: Range<Int>, to list: inout [BeatEvent]) {
    unsafe lend { base in
      unsafe list.append(
        contentsOf: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
    }
  }

  var last: EventKey { key(at: count - 1) }

  func key(at offset: Int) -> EventKey {
    unsafe lend { unsafe EventKey(time: $0[offset].time, serial: $0[offset].serial) }
  }

  func time(at offset: Int) -> MusicTimeStamp { unsafe lend { unsafe $0[offset].time } }

  func type(at offset: Int) -> MusicEventType { unsafe lend { unsafe $0[offset].type } }

  subscript(offset: Int) -> BeatEvent {
    get { unsafe lend { unsafe $0[offset] } }
    set {
      unsafe lend { unsafe $0[offset] = newValue }
      knownEnd.store(Self.unknown, ordering: .relaxed)
    }
  }

  /// The struct of an event, valid until the chunk is changed or freed.
  func data(at offset: Int) -> (bytes: UnsafeRawPointer, size: Int) {
    unsafe lend { base in
      if let payload = unsafe base[offset].payload {
        return unsafe (UnsafeRawPointer(payload.base), payload.count)
      }
      let body = MemoryLayout<BeatEvent>.offset(of: \BeatEvent.body) ?? 0
      return unsafe (UnsafeRawPointer(base + offset) + body, base[offset].size)
    }
  }

  /// The offset of the first event at or after a key, or `count` if all events are earlier.
  func firstOffset(atOrAfter key: EventKey) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if self.key(at: middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func insert(_ event: BeatEvent, at offset: Int) {
    unsafe lend { base in
      unsafe (base + offset + 1).moveInitialize(from: base + offset, count: count - offset)
      unsafe (base + offset).initialize(to: event)
    }
    count += 1
    let end = MusicTimeStamp(bitPattern: knownEnd.load(ordering: .relaxed))
    if !end.isNaN { knownEnd.store(max(end, event.end).bitPattern, ordering: .relaxed) }
  }

  func remove(_ range: Range<Int>) {
    unsafe lend { base in
      unsafe (base + range.lowerBound).deinitialize(count: range.count)
      unsafe (base + range.lowerBound).moveInitialize(
        from: base + range.upperBound, count: count - range.upperBound)
    }
    count -= range.count
    knownEnd.store(Self.unknown, ordering: .relaxed)
  }

  /// Removes the upper half of the events and returns it.
  func split() -> EventChunk {
    let half = count / 2
    var upper: [BeatEvent] = []
    append(half..<count, to: &upper)
    remove(half..<count)
    return EventChunk(upper)
  }

  /// The latest end of the events; O(1) after the first call.
  var end: MusicTimeStamp {
    let known = MusicTimeStamp(bitPattern: knownEnd.load(ordering: .relaxed))
    if !known.isNaN { return known }
    let end = unsafe lend { base in
      unsafe UnsafeBufferPointer(start: base, count: count).reduce(0) { max($0, $1.end) }
    }
    knownEnd.store(end.bitPattern, ordering: .relaxed)
    return end
  }
}
