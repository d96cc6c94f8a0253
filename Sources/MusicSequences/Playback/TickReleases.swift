// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The note-offs of the tick that is being emitted, those that end no note included.
///
/// They are read track by track, by rank. Those whose turn has come wait until the next event that
/// is not a note-off, and are then given in order of key, channel and velocity: an order that does
/// not depend on which of several notes of a key each of them ends.
struct TickReleases: Sendable {
  private var entries: ContiguousArray<Entry> = []
  private var sorting = Heap<Entry>(capacity: 256)
  private var ready = Heap<Ready>(capacity: 256)

  /// The first entry of each chain of entries whose port, channel and key are alike or hashed alike:
  /// those that wait, and the notes that end with another track's note-off.
  private var waiting = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var elsewhere = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var isChained = false

  /// The notes that sound.
  var open = OpenNotes()
  /// The note-offs that have not been given.
  private(set) var left = 0
  private var elsewhereLeft = 0
  /// Whether all note-offs come before the records of their tracks, and none is another track's.
  private(set) var comeFirst = true

  private static let slots = 2048
  private static let fewest = 32

  private struct Entry: Comparable, BitwiseCopyable, Sendable {
    var release: PendingRelease
    /// The place in the order of the notes.
    var number: Int32
    var port: Int32
    var next: Int32 = -1
    /// The entry of the note of another track that it ends, or −1.
    var note: Int32 = -1
    /// Whether it is a note-off that ends no note of its track.
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
      // Alike in all this they are the same bytes; then the order of tracks makes it certain.
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

  /// The port of an event, of those that different destinations have.
  func port(of track: Int32, _ index: Int32) -> Int32 {
    Int32(truncatingIfNeeded: ports.group(of: Int(track), at: Int(index)))
  }

  /// Takes a note-off of the tick that ends no note of its track.
  mutating func add(_ record: EventRecord, track: Int32, index: Int32, rank: UInt32) {
    var release = PendingRelease(
      tick: record.tick, track: track, index: index, message: Message(loneRelease: record))
    release.rank = rank
    append(release, isLone: true)
  }

  /// Takes what is due at a tick out of a queue.
  mutating func fill(from queue: inout ReleaseQueue, through tick: UInt64) {
    while queue.nextTick <= tick, let release = queue.removeFirst() {
      append(release, isLone: false)
    }
  }

  /// Puts the note-offs in order of track, then of rank.
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

  /// Whether a note-off, whose turn in its track has come, is to be given in this pass.
  func isDue(at index: Int, inRest: Bool, _ split: TickSplit) -> Bool {
    let entry = entries[index]
    return !entry.isSent && !entry.release.isElsewhere
      && split.isRest(entry.release.message) == inRest
  }

  /// Puts a note-off among those that are given next.
  ///
  /// If it ends a note of another track, it is given as that note's.
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

  /// Puts all note-offs among those that are given next, if they `comeFirst`.
  mutating func makeAllReady() {
    for (index, entry) in entries.enumerated() {
      ready.insert(Ready(entry.release, entry: Int32(truncatingIfNeeded: index)))
      open.remove(entry.key)
    }
    left = 0
  }

  /// The next note-off to give.
  mutating func removeReady() -> PendingRelease? {
    guard let entry = ready.removeFirst().map({ entries[Int($0.entry)] }) else { return nil }
    guard entry.note >= 0 else { return entry.release }
    var release = entry.release
    release.track = entries[Int(entry.note)].release.track
    release.index = entries[Int(entry.note)].release.index
    return release
  }

  /// Gives the note-offs of earlier notes that sound on the key that is struck now.
  ///
  /// They are the first that are left, for a note-off ends the oldest note: as many as notes of
  /// earlier ticks sound. Only the first note-on of a key and a tick can have any.
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

  /// Gives what no note-off of another track has sent.
  mutating func makeRestReady() {
    guard elsewhereLeft > 0 else { return }
    for index in entries.indices where !entries[index].isSent { makeReady(at: index) }
  }

  private mutating func chain() {
    guard !isChained else { return }
    isChained = true
    // From the last on, so that each chain has its entries in order.
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
