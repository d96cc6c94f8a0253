// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// A pending note-off.
struct PendingRelease: BitwiseCopyable, Sendable {
  var tick: UInt64
  var track: Int32
  var index: Int32
  var message: Message
  /// The number of the track's records that precede it at its tick (`EventRecord.rankShift`).
  var rank: UInt32 = 0
  /// True if a note-off in another track sends it.
  var isElsewhere = false
  /// True if it is sent earlier than its position, because its key is struck again.
  var isMoved = false
}

/// The pending note-offs, earliest first.
///
/// Usually a few notes sound at a time, and the latest ones end last. A list that is sorted from
/// its tail is the fastest for this. If it would become long, further note-offs go to a heap, so
/// that every song is fast.
struct ReleaseQueue: Sendable {
  private static let shortest = 64

  private var list: ContiguousArray<PendingRelease> = []
  private var head = 0
  private var heap = Heap<Late>(capacity: 0)
  private var inserted: UInt64 = 0
  private(set) var count = 0
  /// The tick of the first note-off; `UInt64.max` if the queue is empty.
  private(set) var nextTick = UInt64.max

  /// A note-off in the heap.
  ///
  /// `order` increases, so that those of one tick keep their order.
  private struct Late: Comparable, BitwiseCopyable, Sendable {
    var release: PendingRelease
    var order: UInt64

    static func == (one: Late, other: Late) -> Bool { one.order == other.order }

    static func < (one: Late, other: Late) -> Bool {
      one.release.tick != other.release.tick
        ? one.release.tick < other.release.tick : one.order < other.order
    }
  }

  init() {
    list.reserveCapacity(4 * Self.shortest)
  }

  mutating func removeAll() {
    list.removeAll(keepingCapacity: true)
    heap.removeAll()
    head = 0
    count = 0
    nextTick = .max
  }

  @inline(__always)
  mutating func insert(_ release: PendingRelease) {
    count += 1
    nextTick = min(nextTick, release.tick)
    // While the heap is not empty, later note-offs of the same tick must wait in it too.
    guard heap.isEmpty, list.count - head < Self.shortest else { return insertLate(release) }
    if list.count == 4 * Self.shortest { compact() }
    list.append(release)
    let head = head
    unsafe list.withUnsafeMutableBufferPointer { list in
      var place = list.count - 1
      // Note-offs at the same tick stay in the order of insertion.
      while place > head, unsafe release.tick < list[place - 1].tick {
        unsafe list[place] = list[place - 1]
        place -= 1
      }
      unsafe list[place] = release
    }
  }

  @inline(never)
  private mutating func insertLate(_ release: PendingRelease) {
    inserted += 1
    heap.insert(Late(release: release, order: inserted))
  }

  @inline(__always)
  mutating func removeFirst() -> PendingRelease? {
    guard count > 0 else { return nil }
    count -= 1
    guard heap.isEmpty else { return removeFirstOfTwo() }
    let first = list[head]
    head += 1
    nextTick = head < list.count ? list[head].tick : .max
    return first
  }

  /// Removes the earlier of the first note-offs of list and heap.
  ///
  /// At one tick, the note-offs in the list are older and precede.
  @inline(never)
  private mutating func removeFirstOfTwo() -> PendingRelease? {
    var first: PendingRelease?
    let late = heap.first?.release.tick ?? .max
    if head < list.count, list[head].tick <= late {
      first = list[head]
      head += 1
    } else {
      first = heap.removeFirst()?.release
    }
    let early = head < list.count ? list[head].tick : .max
    nextTick = min(early, heap.first?.release.tick ?? .max)
    return first
  }

  private mutating func compact() {
    list.removeSubrange(..<head)
    head = 0
  }
}
