// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Glibc

/// The memory of one buffer of a queue: the struct that programs see, its packets and its bytes.
///
/// The memory is freed with this object. A queue keeps it until the buffer is freed, and while a
/// callback uses it.
@safe
final class QueueBuffer: @unchecked Sendable {
  // Unchecked: the pointers never change; the program that fills the memory is responsible for it.

  /// The struct.
  let pointer: UnsafeMutablePointer<AudioQueueBuffer>
  /// The number of bytes that fit in.
  let capacity: Int
  /// The number of packets that can be described; 0 if the buffer was allocated without.
  let packetCapacity: Int
  private let memory: UnsafeMutableRawPointer

  /// Allocates a buffer of zeros.
  ///
  /// - Parameters:
  ///   - byteCount: the number of bytes, 1 or more.
  ///   - packetCount: the number of packets that can be described.
  /// - Throws: `kAudio_MemFullError`.
  init(byteCount: UInt32, packetCount: UInt32) throws(StatusError) {
    let (head, packet) = unsafe (
      (MemoryLayout<AudioQueueBuffer>.size + 15) & ~15,
      MemoryLayout<AudioStreamPacketDescription>.stride
    )
    let table = (Int(packetCount) * packet + 15) & ~15
    guard let memory = unsafe calloc(1, head + table + Int(byteCount)) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe self.memory = memory
    (capacity, packetCapacity) = (Int(byteCount), Int(packetCount))
    let packets = unsafe (memory + head).bindMemory(
      to: AudioStreamPacketDescription.self, capacity: Int(packetCount))
    unsafe pointer = memory.bindMemory(to: AudioQueueBuffer.self, capacity: 1)
    unsafe pointer.initialize(
      to: AudioQueueBuffer(
        mAudioDataBytesCapacity: byteCount, mAudioData: memory + head + table,
        mAudioDataByteSize: 0, mUserData: nil, mPacketDescriptionCapacity: packetCount,
        mPacketDescriptions: packetCount > 0 ? packets : nil, mPacketDescriptionCount: 0))
  }

  deinit {
    unsafe free(memory)
  }

  /// The address that programs know.
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  /// The bytes that a program has put in; nil if its size exceeds the capacity.
  var filled: UnsafeRawBufferPointer? {
    let count = unsafe Int(pointer.pointee.mAudioDataByteSize)
    guard count <= capacity else { return nil }
    return unsafe UnsafeRawBufferPointer(start: pointer.pointee.mAudioData, count: count)
  }

  /// The packets that a program has described in the buffer.
  ///
  /// - Throws: `StatusError.parameter` if their number exceeds the capacity.
  func describedPackets() throws(StatusError) -> [AudioStreamPacketDescription] {
    let count = unsafe Int(pointer.pointee.mPacketDescriptionCount)
    guard count <= packetCapacity else { throw .parameter }
    return unsafe Array(
      UnsafeBufferPointer(start: pointer.pointee.mPacketDescriptions, count: count))
  }

  /// All bytes, to be filled.
  var room: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: pointer.pointee.mAudioData, count: capacity)
  }
}
