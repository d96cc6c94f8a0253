// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The input of a converter in tests: bytes in one buffer, given in pieces.
final class ConverterFeed {
  let bytes: UnsafeMutableRawBufferPointer
  let bytesPerPacket: Int
  private(set) var place = 0
  /// The sizes of packets; empty if all have the same size.
  let sizes: [Int]
  private(set) var packet = 0
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
  /// The most packets that are given at once.
  var limit = Int.max
  /// The status after the last packet; `noErr` ends the stream.
  var lastStatus: OSStatus = noErr
  var givesDescriptions = true
  private(set) var callCount = 0

  init<Element: BitwiseCopyable>(_ elements: [Element], bytesPerPacket: Int, sizes: [Int] = []) {
    bytes = elements.withUnsafeBytes { source in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
      copy.copyMemory(from: source)
      return copy
    }
    (self.bytesPerPacket, self.sizes) = (bytesPerPacket, sizes)
    descriptions = .allocate(capacity: max(1, sizes.count))
  }

  deinit {
    bytes.deallocate()
    descriptions.deallocate()
  }

  static let proc: AudioConverterComplexInputDataProc = { _, count, list, descriptions, data in
    guard let data else { return -1 }
    let feed = Unmanaged<ConverterFeed>.fromOpaque(data).takeUnretainedValue()
    return feed.give(count, list, descriptions)
  }

  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func give(
    _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    callCount += 1
    var (given, size) = (0, 0)
    if sizes.isEmpty {
      given = min(Int(count.pointee), limit, (bytes.count - place) / bytesPerPacket)
      size = given * bytesPerPacket
    } else {
      while given < min(Int(count.pointee), limit), packet < sizes.count {
        self.descriptions[given] = AudioStreamPacketDescription(
          mStartOffset: Int64(size), mVariableFramesInPacket: 0,
          mDataByteSize: UInt32(sizes[packet]))
        (size, packet, given) = (size + sizes[packet], packet + 1, given + 1)
      }
      if givesDescriptions { descriptions?.pointee = self.descriptions }
    }
    count.pointee = UInt32(given)
    guard given > 0 else { return lastStatus }
    list.pointee.mBuffers.mData = bytes.baseAddress?.advanced(by: place)
    list.pointee.mBuffers.mDataByteSize = UInt32(size)
    place += size
    return noErr
  }
}

/// Formats in tests.
enum TestFormats {
  static func integers(
    _ bits: UInt32 = 16, _ channels: UInt32 = 2, rate: Double = 44_100
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: bits / 8 * channels, mFramesPerPacket: 1,
      mBytesPerFrame: bits / 8 * channels, mChannelsPerFrame: channels, mBitsPerChannel: bits,
      mReserved: 0)
  }

  static func floats(
    _ channels: UInt32 = 2, rate: Double = 44_100, separate: Bool = false
  ) -> AudioStreamBasicDescription {
    let frame = separate ? 4 : 4 * channels
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        | (separate ? kAudioFormatFlagIsNonInterleaved : 0),
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
  }

  static func packets(
    _ id: AudioFormatID, _ channels: UInt32 = 2, rate: Double = 44_100, flags: UInt32 = 0
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: 0,
      mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: channels, mBitsPerChannel: 0,
      mReserved: 0)
  }

  /// Stereo integers of two tones.
  static func tones(_ frameCount: Int) -> [Int16] {
    (0..<frameCount * 2).map { index in
      let (frame, channel) = (Double(index / 2), index % 2)
      return Int16(9000 * sin(frame * (channel == 0 ? 0.0627 : 0.0941)))
    }
  }
}

/// A converter that is disposed of at the end.
struct TestConverter: ~Copyable {
  let ref: AudioConverterRef

  init(_ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription) throws {
    var (source, target, made) = (source, target, AudioConverterRef?.none)
    let code = AudioConverterNew(&source, &target, &made)
    guard let made else { throw TestStatus(code: code) }
    ref = made
  }

  deinit { AudioConverterDispose(ref) }

  func get<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, _ value: Value) throws -> Value {
    var (value, size) = (value, UInt32(MemoryLayout<Value>.size))
    let code = withUnsafeMutableBytes(of: &value) {
      AudioConverterGetProperty(ref, id, &size, $0.baseAddress)
    }
    guard code == noErr else { throw TestStatus(code: code) }
    return value
  }

  /// Fills one buffer; returns the status, the packets and the bytes.
  func fill(
    _ feed: ConverterFeed, packets: Int, capacity: Int,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? = nil
  ) -> (status: OSStatus, packets: Int, bytes: [UInt8]) {
    var memory = [UInt8](repeating: 0xEE, count: capacity)
    var count = UInt32(packets)
    return memory.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(capacity), mData: memory.baseAddress))
      let status = AudioConverterFillComplexBuffer(
        ref, ConverterFeed.proc, feed.data, &count, &list, descriptions)
      return (status, Int(count), Array(memory.prefix(Int(list.mBuffers.mDataByteSize))))
    }
  }

  /// All samples until the end.
  func drain<Sample: BitwiseCopyable>(
    _ feed: ConverterFeed, _ type: Sample.Type, channels: Int, step: Int = 1000
  ) throws -> [Sample] {
    var samples: [Sample] = []
    while true {
      let part = fill(feed, packets: step, capacity: step * channels * MemoryLayout<Sample>.size)
      guard part.status == noErr else { throw TestStatus(code: part.status) }
      if part.packets == 0 { return samples }
      samples += part.bytes.withUnsafeBytes { Array($0.bindMemory(to: type)) }
    }
  }
}

/// A status that a test did not expect.
struct TestStatus: Error, CustomStringConvertible {
  let code: OSStatus
  var description: String { "status \(code)" }
}
