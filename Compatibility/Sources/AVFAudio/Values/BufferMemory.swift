// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio
internal import Foundation

/// The memory of a buffer, and two lists that point to it.
@safe
final class BufferMemory {
  /// The list whose sizes are those of the sound.
  let list: UnsafeMutableAudioBufferListPointer
  /// The list whose sizes are at first the capacity, and which a program may change.
  let mutableList: UnsafeMutableAudioBufferListPointer
  /// Bytes that each buffer has room for.
  let byteCapacity: Int
  private let release: () -> Void

  /// The most bytes of the buffers of a list: 2⁶⁰.
  private static let limit = 1 << 60

  /// Allocates zeroed buffers of equal size.
  ///
  /// The result is nil if memory runs out, or a size does not fit a list.
  convenience init?(bufferCount: Int, byteCapacity: Int, channelsPerBuffer: UInt32) {
    guard bufferCount >= 1, byteCapacity >= 0, byteCapacity <= Int(UInt32.max),
      byteCapacity <= Self.limit / bufferCount
    else { return nil }
    // Buffers begin at multiples of 16 bytes, for wide registers.
    let step = (max(byteCapacity, 1) + 15) & ~15
    guard let sound = unsafe calloc(bufferCount, step) else { return nil }
    let buffers = unsafe (0..<bufferCount).map { index in
      unsafe AudioBuffer(
        mNumberChannels: channelsPerBuffer, mDataByteSize: 0, mData: sound + index * step)
    }
    unsafe self.init(buffers, byteCapacity: byteCapacity) { unsafe free(sound) }
  }

  /// Uses buffers of a program, which are released with this object.
  @unsafe
  init(_ buffers: [AudioBuffer], byteCapacity: Int, release: @escaping () -> Void) {
    unsafe list = AudioBufferList.allocate(maximumBuffers: max(1, buffers.count))
    unsafe mutableList = AudioBufferList.allocate(maximumBuffers: max(1, buffers.count))
    self.byteCapacity = byteCapacity
    self.release = release
    for index in unsafe buffers.indices {
      unsafe list[index] = buffers[index]
      unsafe mutableList[index] = buffers[index]
      unsafe mutableList[index].mDataByteSize = UInt32(clamping: byteCapacity)
    }
    setByteSize(0)
  }

  deinit {
    release()
    unsafe free(list.unsafeMutablePointer)
    unsafe free(mutableList.unsafeMutablePointer)
  }

  /// Sets the size of the sound in every buffer.
  func setByteSize(_ size: Int) {
    for index in unsafe list.indices {
      unsafe list[index].mDataByteSize = UInt32(clamping: size)
    }
  }

  /// The address of a buffer's sound; nil without memory.
  func data(_ index: Int) -> UnsafeMutableRawPointer? {
    unsafe list.indices.contains(index) ? list[index].mData : nil
  }

  /// A list whose sizes are the capacity; the caller frees it.
  func capacityList() -> UnsafeMutableAudioBufferListPointer {
    let result = unsafe AudioBufferList.allocate(maximumBuffers: list.count)
    for index in unsafe list.indices {
      unsafe result[index] = list[index]
      unsafe result[index].mDataByteSize = UInt32(clamping: byteCapacity)
    }
    return unsafe result
  }

  /// Copies bytes of each buffer from another memory of the same shape.
  func copy(_ count: Int, from other: BufferMemory) {
    let count = min(count, byteCapacity, other.byteCapacity)
    for index in unsafe list.indices {
      guard let target = unsafe data(index), let source = unsafe other.data(index) else { continue }
      unsafe target.copyMemory(from: source, byteCount: count)
    }
  }
}
