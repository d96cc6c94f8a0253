// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Memory for two channels, and a buffer list that points to it.
///
/// - Note: One thread at a time; nothing is allocated after `init`.
@safe
final class StereoMemory: @unchecked Sendable {
  // Unchecked: the thread that renders owns it during the slice.

  let capacity: Int
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  private let storage: UnsafeMutableRawPointer

  init(capacity: Int) {
    self.capacity = capacity
    unsafe left = .allocate(capacity: 2 * capacity)
    unsafe left.initialize(repeating: 0, count: 2 * capacity)
    unsafe right = unsafe left + capacity
    let size = unsafe MemoryLayout<AudioBufferList>.size + MemoryLayout<AudioBuffer>.size
    unsafe storage = .allocate(byteCount: size, alignment: 8)
  }

  deinit {
    unsafe left.deallocate()
    unsafe storage.deallocate()
  }

  func clear(_ frames: Int) {
    unsafe left.update(repeating: 0, count: frames)
    unsafe right.update(repeating: 0, count: frames)
  }

  /// A buffer list of both channels.
  func list(_ frames: Int) -> UnsafeMutablePointer<AudioBufferList> {
    let list = unsafe storage.assumingMemoryBound(to: AudioBufferList.self)
    unsafe list.pointee.mNumberBuffers = 2
    let buffers = unsafe BufferListView(list)
    let size = UInt32(frames * MemoryLayout<Float>.size)
    unsafe buffers[0] = AudioBuffer(
      mNumberChannels: 1, mDataByteSize: size, mData: UnsafeMutableRawPointer(left))
    unsafe buffers[1] = AudioBuffer(
      mNumberChannels: 1, mDataByteSize: size, mData: UnsafeMutableRawPointer(right))
    return unsafe list
  }

  /// Copies the sound that a render callback has left in other memory, to which the list points.
  func adopt(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) {
    let buffers = unsafe BufferListView(list)
    for unsafe(index, channel) in unsafe [left, right].enumerated() {
      guard let data = unsafe buffers[index].mData, unsafe data != UnsafeMutableRawPointer(channel)
      else { continue }
      unsafe channel.update(from: data.assumingMemoryBound(to: Float.self), count: frames)
    }
  }

  /// Adds another memory's channels, with gains that change linearly from `old` to `new`.
  func add(_ other: StereoMemory, _ frames: Int, from old: StereoGains, to new: StereoGains) {
    let step = 1 / Float(max(1, frames))
    for frame in 0..<frames {
      let part = Float(frame + 1) * step
      unsafe left[frame] += other.left[frame] * (old.left + (new.left - old.left) * part)
      unsafe right[frame] += other.right[frame] * (old.right + (new.right - old.right) * part)
    }
  }

  /// Copies the channels into a caller's list; a buffer whose pointer is nil is set to this memory.
  func hand(to list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) {
    let buffers = unsafe BufferListView(list)
    let count = unsafe Int(list.pointee.mNumberBuffers)
    for index in 0..<count {
      let channel = unsafe index == 0 ? left : right
      guard let data = unsafe buffers[index].mData else {
        unsafe buffers[index].mData = UnsafeMutableRawPointer(channel)
        unsafe buffers[index].mDataByteSize = UInt32(frames * MemoryLayout<Float>.size)
        continue
      }
      let samples = unsafe data.assumingMemoryBound(to: Float.self)
      if unsafe buffers[index].mNumberChannels == 2, count == 1 {
        for frame in 0..<frames {
          unsafe samples[2 * frame] = left[frame]
          unsafe samples[2 * frame + 1] = right[frame]
        }
      } else if unsafe data != UnsafeMutableRawPointer(channel) {
        unsafe samples.update(from: channel, count: frames)
      }
    }
  }
}
