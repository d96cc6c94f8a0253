// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport

/// The input that a converter's callback gives: any number of packets, sizes and statuses.
@safe final class ConverterInputBytes {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
  private let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
    capacity: 64)
  private var random = SplitMix(seed: 1)
  private var left = 0

  init() {
    for index in unsafe bytes.indices {
      unsafe bytes[index] = UInt8(truncatingIfNeeded: index &* 7)
    }
    unsafe descriptions.initialize(repeating: AudioStreamPacketDescription(), count: 64)
  }

  var data: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Begins a call, in which the callback gives input a few times.
  func prepare(_ random: inout SplitMix) {
    self.random = SplitMix(seed: random.next())
    left = Int.random(in: 0..<8, using: &random)
  }

  static let proc: AudioConverterComplexInputDataProc = { _, count, list, packets, data in
    guard let data = unsafe data else { return -1 }
    let input = unsafe Unmanaged<ConverterInputBytes>.fromOpaque(data).takeUnretainedValue()
    return unsafe input.give(count, list, packets)
  }

  private func give(
    _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ packets: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    left -= 1
    guard left > 0 else {
      unsafe count.pointee = 0
      return Bool.random(using: &random) ? noErr : 77
    }
    unsafe count.pointee = [1, 2, 50, 64, 1000, .max].randomElement(using: &random) ?? 1
    let room = unsafe bytes.count
    for index in unsafe UnsafeMutableAudioBufferListPointer(list).indices {
      let size = Int.random(in: 0...room, using: &random)
      unsafe UnsafeMutableAudioBufferListPointer(list)[index].mDataByteSize = UInt32(size)
      unsafe UnsafeMutableAudioBufferListPointer(list)[index].mData =
        Int.random(in: 0..<20, using: &random) == 0
        ? nil : bytes.baseAddress?.advanced(by: bytes.count - size)
    }
    guard let packets = unsafe packets else { return noErr }
    // No more than there are descriptions.
    unsafe count.pointee = min(count.pointee, 64)
    for index in 0..<64 {
      unsafe descriptions[index] = AudioStreamPacketDescription(
        mStartOffset: [0, Int64(index * 40), -1, .max, 1 << 33].randomElement(using: &random) ?? 0,
        mVariableFramesInPacket: 0,
        mDataByteSize: [0, 40, 400, .max].randomElement(using: &random) ?? 0)
      if index % 8 != 0 {
        unsafe descriptions[index].mStartOffset = Int64(index * 8)
        unsafe descriptions[index].mDataByteSize = 8
      }
    }
    if Int.random(in: 0..<10, using: &random) > 0 { unsafe packets.pointee = descriptions }
    return noErr
  }
}

/// Formats for calls: good ones, and some that contradict themselves.
enum CallFormats {
  /// A format of samples.
  static func samples(_ random: inout SplitMix) -> AudioStreamBasicDescription {
    let bits: UInt32 = [8, 16, 16, 24, 32, 64].randomElement(using: &random) ?? 16
    let flags: UInt32 =
      [9, 12, 12, 12, 41, 44, 14, 4, 0x80 << 4 | 12].randomElement(using: &random) ?? 12
    let channels = UInt32.random(in: 1...3, using: &random)
    let frame = bits / 8 * (flags & kAudioFormatFlagIsNonInterleaved == 0 ? channels : 1)
    var format = AudioStreamBasicDescription(
      mSampleRate: [44_100, 44_100, 48_000, 8000].randomElement(using: &random) ?? 44_100,
      mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frame,
      mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels,
      mBitsPerChannel: bits, mReserved: 0)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: format.mSampleRate = [.nan, .infinity, -1, 0, 1e300].randomElement(using: &random) ?? 0
    case 1: format.mChannelsPerFrame = [0, .max, 1024].randomElement(using: &random) ?? 0
    case 2: format.mBytesPerFrame = UInt32(truncatingIfNeeded: random.next())
    case 3: format.mBitsPerChannel = [0, 1, 31, .max].randomElement(using: &random) ?? 0
    default: break
    }
    return format
  }

  /// A format of samples or packets.
  static func any(_ random: inout SplitMix) -> AudioStreamBasicDescription {
    var format = samples(&random)
    guard Int.random(in: 0..<3, using: &random) == 0 else { return format }
    let ids = [
      kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatMPEGLayer3,
      kAudioFormatAppleIMA4, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatFLAC,
      kAudioFormatAC3, kAudioFormatOpus, 7,
    ]
    format.mFormatID = ids.randomElement(using: &random) ?? 0
    format.mFormatFlags = UInt32.random(in: 0...4, using: &random)
    (format.mBytesPerPacket, format.mFramesPerPacket) = (0, 0)
    (format.mBytesPerFrame, format.mBitsPerChannel) = (0, 0)
    return format
  }
}
