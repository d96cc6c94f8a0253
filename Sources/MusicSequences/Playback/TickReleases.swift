// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The note-offs of the current tick, including those that do not end a note.
///
/// They are processed track by track, in order of rank, and wait until the next event that is not a
/// note-off. They are then sent in order of key, channel and velocity. This order does not depend
/// on the pairing of note-offs with several notes of one key.
struct TickReleases: Sendable {
  private var entries: ContiguousArray<Entry> = []
  private var sorting = Heap<Entry>(capacity: 256)
  private var ready = Heap<Ready>(capacity: 256)

  /// The first entry of each chain of entries with the same hash of port, channel and key.
  ///
  /// `waiting` has note-offs that wait; `elsewhere` has notes that the note-off of another track
  /// ends.
  private var waiting = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var elsewhere = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var isChained = false

  /// The sounding notes.
  var open = OpenNotes()
  /// The number of note-offs that have not been sent.
  private(set) var left = 0
  private var elsewhereLeft = 0
  /// True if all note-offs precede the records of their tracks, and none is in another track.
  private(set) var comeFirst = true

  private static let slots = 2048
  private static let fewest = 32

  private struct Entry: Comparable, BitwiseCopyable, Sendable {
    var release: PendingRelease
    /// The position in the order of the notes.
    var number: Int32
    var port: Int32
    var next: Int32 = -1
    /// The entry of the note of another track that it ends, or −1.
    var note: Int32 = -1
    /// True for a note-off that does not end a note of its track.
    var isLone = false
    var isSent = false

    static func == (one: Entry, other: Entry) -> Bool { one.number == other.number }

    static func < (one: Entry, other: Entry) -> Bool {
      if one.release.track != other.release.track {
        return one.release.track < other.release.track
      }
      if one.release.rank != other.release.rank { return one.release.rank < other.release.rank }
      if one.isLone != other.isLone { return other.isLone }
      return one.number < other.number
    }

    var key: UInt32 { OpenNotes.key(release.message.status, release.message.data1, port: port) }
  }

  private struct Ready: Comparable, BitwiseCopyable, Sendable {
    var order: UInt64
    var entry: Int32

    init(_ release: PendingRelease, entry: Int32) {
      let message = release.message
      let key = UInt64(message.data1 & 0x7F) << 4 | UInt64(message.status & 0x0F)
      let form = UInt64(message.status >> 4) << 7 | UInt64(message.data2 & 0x7F)
      // Entries that are equal in all this are the same bytes. The track makes the order unique.
      let track = UInt64(truncatingIfNeeded: release.track) & 0xF_FFFF
      order =
        (key << 11 | form) << 42 | track << 22 | UInt64(truncatingIfNeeded: entry) & 0x3F_FFFF
      self.entry = entry
    }

    static func < (one: Ready, other: Ready) -> Bool { one.order < other.order }
  }

  init() { entries.reserveCapacity(256) }

  var count: Int { entries.count }
  func track(at index: Int) -> Int32 { entries[index].release.track }
  func rank(at index: Int) -> UInt32 { entries[index].release.rank }

  /// Prepares for a tick.
  mutating func removeAll() {
    guard !entries.isEmpty else { return }
    if isChained {
      for entry in entries {
        let slot = Self.slot(entry.key)
        waiting[slot] = -1
        elsewhere[slot] = -1
      }
    }
    entries.removeAll(keepingCapacity: true)
    ready.removeAll()
    isChained = false
    left = 0
    elsewhereLeft = 0
    comeFirst = true
  }

  /// The ports of the sequence.
  var ports = TrackPorts()

  /// The port of an event; ports of different destinations have different numbers.
  func port(of track: Int32, _ index: Int32) -> Int32 {
    Int32(truncatingIfNeeded: ports.group(of: Int(track), at: Int(index)))
  }

  /// Adds a note-off of the tick that does not end a note of its track.
  mutating func add(_ record: EventRecord, track: Int32, index: Int32, rank: UInt32) {
    var release = PendingRelease(
      tick: record.tick, track: track, index: index, message: Message(loneRelease: record))
    release.rank = rank
    append(release, isLone: true)
  }

  /// Adds the due note-offs of a queue.
  mutating func fill(from queue: inout ReleaseQueue, through tick: UInt64) {
    while queue.nextTick <= tick, let release = queue.removeFirst() {
      append(release, isLone: false)
    }
  }

  /// Sorts the note-offs by track, then by rank.
  mutating func putInOrder() {
    for index in entries.indices.dropFirst() where entries[index] < entries[index - 1] {
      return sort()
    }
  }

  private mutating func append(_ release: PendingRelease, isLone: Bool) {
    entries.append(
      Entry(
        release: release, number: Int32(truncatingIfNeeded: entries.count),
        port: port(of: release.track, release.index), isLone: isLone))
    if release.isElsewhere { elsewhereLeft += 1 } else { left += 1 }
    if release.rank > 0 || release.isElsewhere { comeFirst = false }
  }

  private mutating func sort() {
    guard entries.count > Self.fewest else {
      for index in 1..<entries.count {
        let entry = entries[index]
        var place = index
        while place > 0, entry < entries[place - 1] {
          entries[place] = entries[place - 1]
          place -= 1
        }
        entries[place] = entry
      }
      return
    }
    for entry in entries { sorting.insert(entry) }
    entries.removeAll(keepingCapacity: true)
    while let entry = sorting.removeFirst() { entries.append(entry) }
  }

  /// True if a note-off at its position in the track is sent in this pass.
  func isDue(at index: Int, inRest: Bool, _ split: TickSplit) -> Bool {
    let entry = entries[index]
    return !entry.isSent && !entry.release.isElsewhere
      && split.isRest(entry.release.message) == inRest
  }

  /// Adds a note-off to those that are sent next.
  ///
  /// If it ends a note of another track, it is returned with that note's track and index.
  mutating func makeReady(at index: Int) {
    let entry = entries[index]
    ready.insert(Ready(entry.release, entry: Int32(index)))
    entries[index].isSent = true
    open.remove(entry.key)
    if entry.release.isElsewhere { elsewhereLeft -= 1 } else { left -= 1 }
    guard entry.isLone, elsewhereLeft > 0, let note = removeElsewhere(entry.key) else { return }
    entries[index].note = Int32(note)
    entries[note].isSent = true
    elsewhereLeft -= 1
  }

  /// Adds all note-offs to those that are sent next; only valid if `comeFirst` is true.
  mutating func makeAllReady() {
    for (index, entry) in entries.enumerated() {
      ready.insert(Ready(entry.release, entry: Int32(truncatingIfNeeded: index)))
      open.remove(entry.key)
    }
    left = 0
  }

  /// Removes and returns the next note-off to send.
  mutating func removeReady() -> PendingRelease? {
    guard let entry = ready.removeFirst().map({ entries[Int($0.entry)] }) else { return nil }
    guard entry.note >= 0 else { return entry.release }
    var release = entry.release
    release.track = entries[Int(entry.note)].release.track
    release.index = entries[Int(entry.note)].release.index
    return release
  }

  /// Sends the note-offs of earlier notes that sound on the key of a note-on.
  ///
  /// As a note-off ends the oldest note, these are the first remaining note-offs of the key, one
  /// for each sounding note from an earlier tick. Only the first note-on of a key at a tick can
  /// have any.
  mutating func makeReady(before strike: EventRecord, port: Int32, at tick: UInt32) {
    let key = OpenNotes.key(strike.status, strike.data1, port: port)
    var earlier = open.markStrike(key, at: tick)
    guard earlier > 0 else { return }
    chain()
    var index = waiting[Self.slot(key)]
    while index >= 0, earlier > 0 {
      let entry = entries[Int(index)]
      if entry.key == key, !entry.isSent {
        entries[Int(index)].release.isMoved = true
        makeReady(at: Int(index))
        earlier -= 1
      }
      index = entry.next
    }
  }

  /// Sends note-offs that another track should have sent, but did not.
  mutating func makeRestReady() {
    guard elsewhereLeft > 0 else { return }
    for index in entries.indices where !entries[index].isSent { makeReady(at: index) }
  }

  private mutating func chain() {
    guard !isChained else { return }
    isChained = true
    // In reverse order, so that each chain has its entries in order.
    for index in entries.indices.reversed() where !entries[index].isSent {
      let slot = Self.slot(entries[index].key)
      if entries[index].release.isElsewhere {
        entries[index].next = elsewhere[slot]
        elsewhere[slot] = Int32(index)
      } else {
        entries[index].next = waiting[slot]
        waiting[slot] = Int32(index)
      }
    }
  }

  /// Finds the first note of a key that a note-off in another track ends.
  private mutating func removeElsewhere(_ key: UInt32) -> Int? {
    chain()
    let slot = Self.slot(key)
    var last: Int32 = -1
    var index = elsewhere[slot]
    while index >= 0 {
      let entry = entries[Int(index)]
      if entry.key == key {
        if last < 0 { elsewhere[slot] = entry.next } else { entries[Int(last)].next = entry.next }
        return Int(index)
      }
      last = index
      index = entry.next
    }
    return nil
  }

  private static func slot(_ key: UInt32) -> Int {
    Int((key & 0x7FF) &+ (key >> 11) &* 677) & (slots - 1)
  }
}
