// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation

/// The input of one conversion: a program's block, in the form of a callback of C.
@safe
final class ConverterFeed {
  /// The status of a block that has nothing now.
  static let ranDry: OSStatus = 0x6472_7921  // 'dry!'

  private let format: AVAudioFormat
  private let block: AVAudioConverterInputBlock
  /// The buffer whose memory the converter uses.
  private var buffer: AVAudioBuffer?

  @unsafe
  init(_ format: AVAudioFormat, _ block: @escaping AVAudioConverterInputBlock) {
    self.format = format
    unsafe self.block = block
  }

  static let callback: AudioConverterComplexInputDataProc = {
    _, count, list, descriptions, data in
    guard let data = unsafe data else { return kAudio_ParamError }
    let feed = unsafe Unmanaged<ConverterFeed>.fromOpaque(data).takeUnretainedValue()
    return unsafe feed.give(&count.pointee, list, descriptions)
  }

  @unsafe
  private func give(
    _ count: inout UInt32, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    var status = AVAudioConverterInputStatus.noDataNow
    let given = unsafe block(count, &status)
    count = 0
    switch status {
    case .noDataNow: return Self.ranDry
    case .endOfStream: return noErr
    case .haveData: break
    }
    guard let given else { return Self.ranDry }
    guard given.format.isEqual(format) else { return kAudio_ParamError }
    buffer = given
    if let packets = given as? AVAudioCompressedBuffer {
      count = packets.packetCount
      unsafe descriptions?.pointee = unsafe packets.packetDescriptions
    } else if let samples = given as? AVAudioPCMBuffer {
      count = samples.frameLength
    }
    // A buffer without sound does not end the stream.
    guard count > 0 else { return Self.ranDry }
    return unsafe point(list, to: given)
  }

  /// Lets the buffers of a list point to those of a program.
  @unsafe
  private func point(
    _ list: UnsafeMutablePointer<AudioBufferList>, to given: AVAudioBuffer
  ) -> OSStatus {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    let source = unsafe given.memory.list
    guard unsafe buffers.count == source.count else { return kAudio_ParamError }
    // Programs that fill packets themselves do not always set their length.
    let isPackets = given is AVAudioCompressedBuffer
    for index in unsafe source.indices {
      unsafe buffers[index].mData = source[index].mData
      unsafe buffers[index].mDataByteSize =
        isPackets ? UInt32(clamping: given.memory.byteCapacity) : source[index].mDataByteSize
    }
    return noErr
  }
}
