// SPDX-License-Identifier: Apache-2.0
import CJACK

/// The messages of a MIDI port in one cycle, in memory allocated once.
@safe final class FakeMIDIBuffer: @unchecked Sendable {
  // Unchecked: one test at a time uses it.

  struct Entry {
    var frame: UInt32
    var start: Int
    var count: Int
  }

  /// The capacity for one cycle.
  static let capacity = 4_096
  static let byteCapacity = 32_768
  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCapacity)
  private var count = 0
  private var used = 0

  deinit {
    unsafe entries.deallocate()
    unsafe bytes.deallocate()
  }

  /// The messages, each with its frame.
  var messages: [(frame: Int, bytes: [UInt8])] {
    (0..<count).map { place in
      let entry = unsafe entries[place]
      return (Int(entry.frame), (0..<entry.count).map { unsafe bytes[entry.start + $0] })
    }
  }

  func clear() { (count, used) = (0, 0) }

  func append(_ message: [UInt8], at frame: Int) {
    guard let place = unsafe reserve(UInt32(frame), message.count) else { return }
    for (index, byte) in message.enumerated() { unsafe place[index] = byte }
  }

  func reserve(_ frame: UInt32, _ size: Int) -> UnsafeMutablePointer<UInt8>? {
    guard count < Self.capacity, used + size <= Self.byteCapacity else { return nil }
    // JACK refuses events that are out of order.
    if count > 0, unsafe entries[count - 1].frame > frame { return nil }
    unsafe entries[count] = Entry(frame: frame, start: used, count: size)
    count += 1
    used += size
    return unsafe bytes + used - size
  }

  private func event(_ place: Int) -> jack_midi_event_t {
    let entry = unsafe entries[place]
    return unsafe jack_midi_event_t(
      time: entry.frame, size: entry.count, buffer: bytes + entry.start)
  }

  private static func of<Result>(
    _ buffer: UnsafeMutableRawPointer?, _ body: (FakeMIDIBuffer) -> Result
  ) -> Result {
    guard let buffer = unsafe buffer else { preconditionFailure("a turn has buffers") }
    return unsafe Unmanaged<FakeMIDIBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef {
      body($0)
    }
  }

  static func fill(_ table: inout CJACKTable) {
    unsafe table.midi_clear_buffer = { unsafe FakeMIDIBuffer.of($0) { $0.clear() } }
    unsafe table.midi_event_reserve = { buffer, frame, size in
      unsafe FakeMIDIBuffer.of(buffer) { unsafe $0.reserve(frame, size) }
    }
    unsafe table.midi_get_event_count = { buffer in
      unsafe FakeMIDIBuffer.of(buffer) { UInt32($0.count) }
    }
    unsafe table.midi_event_get = { event, buffer, index in
      unsafe FakeMIDIBuffer.of(buffer) { list in
        guard index < list.count else { return -1 }
        unsafe event?.pointee = unsafe list.event(Int(index))
        return 0
      }
    }
  }
}
