// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// At most 512 events in order, in memory that stays where it is.
///
/// Whoever shares one does not change it: `EventList` copies it before.
@safe final class EventChunk: @unchecked Sendable {
  static let capacity = 512

  private let base: UnsafeMutablePointer<BeatEvent>
  private(set) var count = 0
  /// When the last of the events ends; nil where it is to be found out.
  private var knownEnd: MusicTimeStamp?

  init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: Self.capacity)
  }

  /// Copies events.
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

  func copy() -> EventChunk { unsafe EventChunk(events) }

  var events: UnsafeBufferPointer<BeatEvent> {
    unsafe UnsafeBufferPointer(start: base, count: count)
  }

  var last: EventKey { key(at: count - 1) }

  func key(at offset: Int) -> EventKey {
    unsafe EventKey(time: base[offset].time, serial: base[offset].serial)
  }

  func time(at offset: Int) -> MusicTimeStamp { unsafe base[offset].time }

  func type(at offset: Int) -> MusicEventType { unsafe base[offset].type }

  subscript(offset: Int) -> BeatEvent {
    get { unsafe base[offset] }
    set {
      unsafe base[offset] = newValue
      knownEnd = nil
    }
  }

  /// The struct of an event: it stays until the chunk changes.
  func data(at offset: Int) -> (bytes: UnsafeRawPointer, size: Int) {
    if let payload = unsafe base[offset].payload {
      return unsafe (UnsafeRawPointer(payload.base), payload.count)
    }
    let body = MemoryLayout<BeatEvent>.offset(of: \BeatEvent.body) ?? 0
    return unsafe (UnsafeRawPointer(base + offset) + body, base[offset].size)
  }

  /// The offset of the first event at or after a place; `count` where there is none.
  func firstOffset(atOrAfter key: EventKey) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if self.key(at: middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func insert(_ event: BeatEvent, at offset: Int) {
    unsafe (base + offset + 1).moveInitialize(from: base + offset, count: count - offset)
    unsafe (base + offset).initialize(to: event)
    count += 1
    if let end = knownEnd { knownEnd = max(end, event.end) }
  }

  func remove(_ range: Range<Int>) {
    unsafe (base + range.lowerBound).deinitialize(count: range.count)
    unsafe (base + range.lowerBound).moveInitialize(
      from: base + range.upperBound, count: count - range.upperBound)
    count -= range.count
    knownEnd = nil
  }

  /// Takes the upper half away.
  func split() -> EventChunk {
    let half = count / 2
    let upper = unsafe EventChunk(unsafe events[half...])
    remove(half..<count)
    return upper
  }

  /// When the last of the events ends; O(1) where it was asked before.
  var end: MusicTimeStamp {
    if let knownEnd { return knownEnd }
    let end = unsafe events.reduce(0) { max($0, $1.end) }
    knownEnd = end
    return end
  }
}
