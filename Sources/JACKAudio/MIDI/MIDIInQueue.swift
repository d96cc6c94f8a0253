// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// A message from the server's thread.
struct ArrivedMessage: BitwiseCopyable, Sendable {
  /// The intended time, in nanoseconds of host time.
  var time: Int64
  /// The number of bytes.
  var count: UInt32
  /// Up to four bytes, the first in the lowest bits; those of longer messages are in the other
  /// ring.
  var short: UInt32
  /// The number of the port at which it arrived.
  var place: UInt32
}

/// The received messages of some ports that were not drained yet.
///
/// - Note: The server's thread adds messages, and one thread at a time removes them.
final class MIDIInQueue: Sendable {
  /// The number of bytes of long messages that can be stored.
  private static let byteCapacity = 1 << 20

  /// The number of messages without room.
  let lostCount = Atomic<Int>(0)
  /// The number of times that the server disappeared, with the releases of held notes.
  let gapCount = Atomic<Int>(0)
  /// Woken by messages.
  let news: DeadlineWait
  let messages: RingBuffer<ArrivedMessage>
  let bytes: RingBuffer<UInt8>

  /// Creates a queue for a number of messages.
  init(capacity: Int) throws(RealtimeError) {
    news = try DeadlineWait()
    messages = RingBuffer(minimumCapacity: capacity)
    bytes = RingBuffer(minimumCapacity: Self.byteCapacity)
  }

  /// The messages at the start of a port's buffer when it was last read.
  struct Part: Equatable, BitwiseCopyable {
    private(set) var count: UInt32 = 0
    /// FNV-1a of their frames and bytes.
    private var mark: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a message.
    mutating func add(_ message: UnsafeBufferPointer<UInt8>, at frame: UInt32) {
      count += 1
      mark = (mark ^ UInt64(frame)) &* 0x100_0000_01B3
      for index in 0..<message.count {
        mark = unsafe (mark ^ UInt64(message[index])) &* 0x100_0000_01B3
      }
    }
  }

  /// Reads the buffer of a port.
  ///
  /// - Parameters:
  ///   - buffer: The buffer.
  ///   - table: The server's functions.
  ///   - place: The number of the port.
  ///   - known: The messages that were already read in this cycle; skipped if the buffer begins
  ///     with them.
  ///   - time: Returns the time of a frame of this cycle, in nanoseconds.
  /// - Returns: The messages in the buffer.
  /// - Note: Real-time safe, except for a system call if messages were received.
  func take(
    _ buffer: UnsafeMutableRawPointer, _ table: UnsafePointer<CJACKTable>, place: UInt32,
    behind known: Part, time: (UInt32) -> Int64
  ) -> Part {
    let count = unsafe cjack_midi_count(table, buffer)
    let isKnown = unsafe part(of: buffer, table, upTo: known.count) == known
    var part = isKnown ? known : Part()
    guard count > part.count else { return known }
    for index in part.count..<count {
      var event = unsafe jack_midi_event_t()
      guard unsafe cjack_midi_event(table, &event, buffer, index) == 0 else { continue }
      let bytes = unsafe UnsafeBufferPointer(start: event.buffer, count: event.size)
      unsafe part.add(bytes, at: event.time)
      guard unsafe take(bytes, at: time(event.time), place) else {
        lostCount.add(1, ordering: .relaxed)
        continue
      }
    }
    news.wake()
    return part
  }

  /// The first messages of a buffer.
  private func part(
    of buffer: UnsafeMutableRawPointer, _ table: UnsafePointer<CJACKTable>, upTo count: UInt32
  ) -> Part {
    var part = Part()
    for index in 0..<count {
      var event = unsafe jack_midi_event_t()
      guard unsafe cjack_midi_event(table, &event, buffer, index) == 0 else { break }
      unsafe part.add(UnsafeBufferPointer(start: event.buffer, count: event.size), at: event.time)
    }
    return part
  }

  private func take(
    _ message: UnsafeBufferPointer<UInt8>, at time: Int64, _ place: UInt32
  ) -> Bool {
    var arrived = ArrivedMessage(
      time: time, count: UInt32(clamping: message.count), short: 0, place: place)
    guard message.count > 4 else {
      for index in 0..<message.count {
        arrived.short |= unsafe UInt32(message[index]) << (8 * UInt32(index))
      }
      return messages.writer.push(arrived)
    }
    // The bytes are stored first, so that they are available with the message.
    guard messages.writer.room > 0, unsafe bytes.writer.push(contentsOf: message.span) else {
      return false
    }
    return messages.writer.push(arrived)
  }
}
