// SPDX-License-Identifier: Apache-2.0

/// The number of sounding notes on each port, channel and key, in all tracks.
///
/// A hash table with linear probing. It allocates memory only when more keys sound at once than
/// ever before.
struct OpenNotes: Sendable {
  private var slots = ContiguousArray<Slot>(repeating: Slot(), count: 128)
  private var used = 0

  private struct Slot: BitwiseCopyable, Sendable {
    /// The port, channel and key.
    var key: UInt32 = 0
    /// The number of notes; 0 if the slot is free.
    var count: UInt32 = 0
    /// The number of the tick of the last note-on; see `markStrike`.
    var strike: UInt32 = 0
  }

  /// The port, channel and key of an event.
  @inline(__always)
  static func key(_ status: UInt8, _ data1: UInt8, port: Int32) -> UInt32 {
    UInt32(truncatingIfNeeded: port) << 11 | UInt32(status & 0x0F) << 7 | UInt32(data1 & 0x7F)
  }

  mutating func removeAll() {
    guard used > 0 else { return }
    for index in slots.indices { slots[index].count = 0 }
    used = 0
  }

  /// Counts a note that begins at a tick.
  @inline(__always)
  mutating func add(_ key: UInt32, at tick: UInt32) {
    var index = place(of: key)
    if slots[index].count == 0 {
      used += 1
      if used * 2 > slots.count {
        grow()
        index = place(of: key)
      }
      slots[index].key = key
    }
    slots[index].count += 1
    slots[index].strike = tick
  }

  /// Counts a note-off.
  ///
  /// A note-off that does not end a note is ignored.
  @inline(__always)
  mutating func remove(_ key: UInt32) {
    let index = place(of: key)
    guard slots[index].count > 0 else { return }
    slots[index].count -= 1
    if slots[index].count == 0 { vacate(index) }
  }

  /// The number of notes from earlier ticks that sound when a note begins.
  ///
  /// Returns 0 if it was already called for the key at this tick.
  mutating func markStrike(_ key: UInt32, at tick: UInt32) -> Int {
    let index = place(of: key)
    guard slots[index].count > 0, slots[index].strike != tick else { return 0 }
    slots[index].strike = tick
    return Int(slots[index].count)
  }

  /// The slot of a key, or the free slot that it would get.
  @inline(__always)
  private func place(of key: UInt32) -> Int {
    let mask = slots.count - 1
    var index = home(of: key)
    while slots[index].count > 0, slots[index].key != key { index = (index + 1) & mask }
    return index
  }

  @inline(__always)
  private func home(of key: UInt32) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B1) >> 7) & (slots.count - 1)
  }

  /// Frees a slot, and moves other entries of the probe sequence forward.
  private mutating func vacate(_ index: Int) {
    let mask = slots.count - 1
    var free = index
    var next = (index + 1) & mask
    used -= 1
    while slots[next].count > 0 {
      let home = home(of: slots[next].key)
      if (next - home) & mask >= (next - free) & mask {
        slots[free] = slots[next]
        slots[next].count = 0
        free = next
      }
      next = (next + 1) & mask
    }
  }

  @inline(never)
  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: Slot(), count: old.count * 2)
    for slot in old where slot.count > 0 { slots[place(of: slot.key)] = slot }
  }
}
