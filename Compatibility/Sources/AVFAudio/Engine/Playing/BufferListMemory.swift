// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import Foundation

/// A list of buffers for a closure of the program, which is called on the render thread.
///
/// It has room for a quantum of samples of single precision.
@safe
struct BufferListMemory: ~Copyable {
  private let list: UnsafeMutableAudioBufferListPointer
  private let samples: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let isPlanar: Bool

  init(_ format: AVAudioFormat) {
    let count = max(1, Int(format.channelCount))
    (channelCount, isPlanar) = (count, format.asbd.isPlanar)
    unsafe samples = .allocate(capacity: count * AudioFormat.quantum)
    unsafe samples.initialize(repeating: 0, count: count * AudioFormat.quantum)
    unsafe list = AudioBufferList.allocate(maximumBuffers: isPlanar ? count : 1)
    for index in unsafe list.indices {
      unsafe list[index].mNumberChannels = isPlanar ? 1 : UInt32(count)
    }
  }

  deinit {
    unsafe free(list.unsafeMutablePointer)
    unsafe samples.deallocate()
  }

  /// The list, with buffers for a number of frames.
  ///
  /// - Parameter frames: The number, 1…64.
  /// - Returns: The list.
  func prepared(_ frames: Int) -> UnsafeMutablePointer<AudioBufferList> {
    for index in unsafe list.indices {
      unsafe list[index].mData = UnsafeMutableRawPointer(samples + index * AudioFormat.quantum)
      let channels = unsafe Int(list[index].mNumberChannels)
      unsafe list[index].mDataByteSize = UInt32(
        frames * channels * MemoryLayout<Float>.stride)
    }
    return unsafe list.unsafeMutablePointer
  }

  /// Makes all samples 0.
  func clear() {
    unsafe samples.update(repeating: 0, count: channelCount * AudioFormat.quantum)
  }

  /// Copies frames to a bus that has as many channels.
  func write(_ frames: Int, to bus: Bus) {
    for channel in 0..<min(channelCount, bus.channelCount) {
      let target = unsafe bus.channel(channel)
      let source = unsafe samples + channel * (isPlanar ? AudioFormat.quantum : 1)
      let step = isPlanar ? 1 : channelCount
      for frame in 0..<frames { unsafe target[frame] = source[frame * step] }
    }
  }

  /// Copies a quantum from a bus that has as many channels.
  func read(_ bus: Bus) {
    for channel in 0..<min(channelCount, bus.channelCount) {
      let source = unsafe bus.channel(channel)
      let target = unsafe samples + channel * (isPlanar ? AudioFormat.quantum : 1)
      let step = isPlanar ? 1 : channelCount
      for frame in 0..<AudioFormat.quantum { unsafe target[frame * step] = source[frame] }
    }
  }
}
