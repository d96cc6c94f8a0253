// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// A buffer that a program enqueues, with its packets, trims, changes and start.
@safe
struct BufferOrder {
  /// The buffer, as the program gives it.
  var pointer: UnsafeMutablePointer<AudioQueueBuffer>?
  /// The packets in it; empty if they follow one another with one size.
  var packets: [AudioStreamPacketDescription] = []
  /// The frames that are left out at both ends.
  var (trimStart, trimEnd) = (0, 0)
  /// The parameters that change when it begins.
  var changes: [AudioQueueParameterEvent] = []
  /// The frame of the queue at which it begins; nil right after the one before it.
  var start: Double?

  /// Describes a buffer.
  ///
  /// - Parameters:
  ///   - pointer: the buffer.
  ///   - count: the number of packets.
  ///   - packets: the packets; nil for those that the buffer itself describes.
  init(
    _ pointer: UnsafeMutablePointer<AudioQueueBuffer>?, _ count: UInt32,
    _ packets: UnsafePointer<AudioStreamPacketDescription>?
  ) {
    unsafe self.pointer = pointer
    if let packets = unsafe packets, count > 0 {
      self.packets = unsafe Array(UnsafeBufferPointer(start: packets, count: Int(count)))
    }
  }
}
