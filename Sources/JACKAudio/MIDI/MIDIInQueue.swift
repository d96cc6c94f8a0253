// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// A message on its way from the server's thread.
struct ArrivedMessage: BitwiseCopyable, Sendable {
  /// When it is meant, in nanoseconds of the host's clock.
  var time: Int64
  /// How many bytes it has.
  var count: UInt32
  /// Up to four bytes, the first lowest; of a message that is longer they lie in the other ring.
  var short: UInt32
  /// Which of the ports it came by.
  var place: UInt32
}

/// What has come for some ports of ours and was not drained yet.
///
/// - Note: the server's thread puts in, one thread at a time takes out.
final class MIDIInQueue: Sendable {
  /// The bytes of long messages that may wait.
  private static let byteCapacity = 1 << 20

  /// Messages that found no room.
  let lostCount = Atomic<Int>(0)
  /// How often the server went away, and with it who would have released what is held.
  let gapCount = Atomic<Int>(0)
  /// Woken by what comes.
  let news: DeadlineWait
  let messages: RingBuffer<ArrivedMessage>
  let bytes: RingBuffer<UInt8>

  /// Creates a queue with room for so many messages.
  init(capacity: Int) throws(RealtimeError) {
    news = try DeadlineWait()
    messages = RingBuffer(minimumCapacity: capacity)
    bytes = RingBuffer(minimumCapacity: Self.byteCapacity)
  }

  /// The messages that a port's buffer began with when it was looked at.
  struct Part: Equatable, BitwiseCopyable {
    private(set) var count: UInt32 = 0
    /// FNV-1a of their frames and bytes.
    private var mark: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes one more.
    mutating func add(_ message: UnsafeBufferPointer<UInt8>, at frame: UInt32) {
      count += 1
      mark = (mark ^ UInt64(frame)) &* 0x100_0000_01B3
      for index in 0..<message.count {
        mark = unsafe (mark ^ UInt64(message[index])) &* 0x100_0000_01B3
      }
    }
  }

  /// Takes what a port's buffer holds.
  ///
  /// - Parameters:
  ///   - buffer: the port's.
  ///   - table: the server's functions.
  ///   - place: which of the ports it is.
  ///   - known: what was taken in this turn before; where the buffer begins with that, it is left out.
  ///   - time: when a frame of this turn is meant, in nanoseconds.
  /// - Returns: what the buffer holds.
  /// - Note: Real-time safe, but for a system call where something came.
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

  /// The first so many messages of a buffer.
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
    // The bytes go first: who finds the message finds them.
    guard messages.writer.room > 0, unsafe bytes.writer.push(contentsOf: message.span) else {
      return false
    }
    return messages.writer.push(arrived)
  }
}
