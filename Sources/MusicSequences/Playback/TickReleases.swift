// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The note-offs of the tick that is being emitted.
///
/// They are read track by track, by rank. Those whose turn has come wait until the next event that
/// is not a note-off, and are then given in order of key and channel: an order that does not depend
/// on which of several notes of a key each of them ends.
struct TickReleases: Sendable {
  private var entries: ContiguousArray<Entry> = []
  private var sorting = Heap<Entry>(capacity: 256) { $0.precedes($1) }
  private var ready = Heap<Ready>(capacity: 256) { $0.order < $1.order }

  /// The first entry of each chain of entries whose port, channel and key are alike or hashed alike:
  /// those that wait, and those of another track's note-off that were sent before it.
  private var waiting = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var moved = ContiguousArray<Int32>(repeating: -1, count: Self.slots)
  private var isChained = false

  /// The notes of earlier ticks whose note-off has not been given.
  private(set) var earlierLeft = 0
  /// The note-offs that another track's note-off sends.
  private(set) var elsewhereLeft = 0
  private var hasElsewhere = false

  private static let slots = 2048
  private static let fewest = 32

  private struct Entry: BitwiseCopyable, Sendable {
    var release: PendingRelease
    /// The place in the order of the notes.
    var number: Int32
    var port: Int32
    var next: Int32 = -1
    var isSent = false

    func precedes(_ other: Entry) -> Bool {
      if release.track != other.release.track { return release.track < other.release.track }
      if release.rank != other.release.rank { return release.rank < other.release.rank }
      return number < other.number
    }

    /// Whether the note-off has the port, channel and key of another event.
    func isAlike(_ record: EventRecord, _ port: Int32) -> Bool {
      let message = release.message
      return message.data1 == record.data1 && (message.status ^ record.status) & 0x0F == 0
        && self.port == port
    }
  }

  private struct Ready: BitwiseCopyable, Sendable {
    var order: UInt64
    var entry: Int32
  }

  init() { entries.reserveCapacity(256) }

  var count: Int { entries.count }
  func track(at index: Int) -> Int32 { entries[index].release.track }
  func rank(at index: Int) -> UInt32 { entries[index].release.rank }

  mutating func removeAll() {
    if isChained {
      for entry in entries {
        let slot = Self.slot(entry.release.message, entry.port)
        waiting[slot] = -1
        moved[slot] = -1
      }
    }
    entries.removeAll(keepingCapacity: true)
    ready.removeAll()
    isChained = false
    earlierLeft = 0
    elsewhereLeft = 0
    hasElsewhere = false
  }

  /// For each track its port.
  var ports: [Int] = []

  /// The port of a track.
  func port(of track: Int32) -> Int32 {
    Int(track) < ports.count ? Int32(truncatingIfNeeded: ports[Int(track)]) : 0
  }

  /// Takes what is due at a tick out of a queue.
  mutating func fill(from queue: inout ReleaseQueue, through tick: UInt64) {
    if !entries.isEmpty { removeAll() }
    var isSorted = true
    while queue.nextTick <= tick, let release = queue.removeFirst() {
      let entry = Entry(
        release: release, number: Int32(truncatingIfNeeded: entries.count),
        port: port(of: release.track))
      if let last = entries.last, !last.precedes(entry) { isSorted = false }
      entries.append(entry)
      if release.isEarlier { earlierLeft += 1 }
      if release.isElsewhere { elsewhereLeft += 1 }
    }
    hasElsewhere = elsewhereLeft > 0
    if !isSorted { sort() }
  }

  private mutating func sort() {
    guard entries.count > Self.fewest else {
      for index in 1..<entries.count {
        let entry = entries[index]
        var place = index
        while place > 0, entry.precedes(entries[place - 1]) {
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
  mutating func makeReady(at index: Int) {
    let message = entries[index].release.message
    let key = UInt64(message.data1) << 4 | UInt64(message.status & 0x0F)
    let number = UInt64(UInt32(bitPattern: entries[index].number))
    ready.insert(Ready(order: key << 32 | number, entry: Int32(index)))
    entries[index].isSent = true
    if entries[index].release.isEarlier { earlierLeft -= 1 }
    if entries[index].release.isElsewhere { elsewhereLeft -= 1 }
  }

  /// The next note-off to give.
  mutating func removeReady() -> PendingRelease? {
    ready.removeFirst().map { entries[Int($0.entry)].release }
  }

  /// Gives the note-offs of earlier notes that sound on the key that is struck now.
  mutating func makeReady(before strike: EventRecord, track: Int32) {
    chain()
    let port = port(of: track)
    let slot = Self.slot(Message(strike), port)
    var last: Int32 = -1
    var index = waiting[slot]
    while index >= 0 {
      let entry = entries[Int(index)]
      let isAlike = entry.isAlike(strike, port)
      if isAlike, !entry.isSent, entry.release.isEarlier { makeReady(at: Int(index)) }
      if entries[Int(index)].isSent {
        if last < 0 { waiting[slot] = entry.next } else { entries[Int(last)].next = entry.next }
        if entry.release.isElsewhere, !entry.isSent {
          entries[Int(index)].next = moved[slot]
          moved[slot] = index
        }
      } else {
        last = index
      }
      index = entry.next
    }
  }

  /// Gives the note-off of the note in another track that a note-off ends.
  ///
  /// - Returns: Whether there was one, or it was given before: then nothing is left to send.
  mutating func takeElsewhere(by release: EventRecord, track: Int32) -> Bool {
    guard hasElsewhere else { return false }
    chain()
    let port = port(of: track)
    let slot = Self.slot(Message(release), port)
    if let index = Self.unlink(
      in: &waiting[slot], &entries,
      where: {
        $0.release.isElsewhere && !$0.isSent && $0.isAlike(release, port)
      })
    {
      makeReady(at: index)
      return true
    }
    return Self.unlink(
      in: &moved[slot], &entries, where: { $0.isAlike(release, port) }) != nil
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
      let slot = Self.slot(entries[index].release.message, entries[index].port)
      entries[index].next = waiting[slot]
      waiting[slot] = Int32(index)
    }
  }

  private static func unlink(
    in first: inout Int32, _ entries: inout ContiguousArray<Entry>,
    where isWanted: (Entry) -> Bool
  ) -> Int? {
    var last: Int32 = -1
    var index = first
    while index >= 0 {
      let entry = entries[Int(index)]
      if isWanted(entry) {
        if last < 0 { first = entry.next } else { entries[Int(last)].next = entry.next }
        return Int(index)
      }
      last = index
      index = entry.next
    }
    return nil
  }

  private static func slot(_ message: Message, _ port: Int32) -> Int {
    let key = Int(message.status & 0x0F) << 7 | Int(message.data1 & 0x7F)
    return (key &+ Int(port) &* 677) & (slots - 1)
  }
}
