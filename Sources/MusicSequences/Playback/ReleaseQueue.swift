// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// A note-off that is due.
struct PendingRelease: BitwiseCopyable, Sendable {
  var tick: UInt64
  var track: Int32
  var index: Int32
  var message: Message
  /// The number of its track's records at the tick that come before it (`EventRecord.rankShift`).
  var rank: UInt32 = 0
  /// Whether a note-off in another track sends it.
  var isElsewhere = false
  /// Whether it is given before its place, since its key is struck.
  var isMoved = false
}

/// The note-offs that are due, the earliest first.
///
/// A few notes sound at a time, and the latest mostly end last: a list sorted from its tail is
/// fastest. What would make it long goes to a heap, so that no score is slow.
struct ReleaseQueue: Sendable {
  private static let shortest = 64

  private var list: ContiguousArray<PendingRelease> = []
  private var head = 0
  private var heap = Heap<Late>(capacity: 0)
  private var inserted: UInt64 = 0
  private(set) var count = 0
  /// The tick of the first, `UInt64.max` where nothing is due.
  private(set) var nextTick = UInt64.max

  /// A note-off in the heap; `order` rises, so that those of one tick keep their order.
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
    // Once something waits in the heap, what comes later at the same tick must wait behind it.
    guard heap.isEmpty, list.count - head < Self.shortest else { return insertLate(release) }
    if list.count == 4 * Self.shortest { compact() }
    list.append(release)
    let head = head
    unsafe list.withUnsafeMutableBufferPointer { list in
      var place = list.count - 1
      // Ties stay behind those that are there.
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

  /// The earlier of the first of the list and the first of the heap; at one tick the list's,
  /// which is older.
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
