// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport

/// Parsers of streams, whose functions are called in any order.
@safe struct FuzzStreams {
  private var streams: [AudioFileStreamID] = unsafe []
  private let client = StreamCount()

  /// The packets that all of them found.
  var packetCount: Int { client.packetCount }
  /// True unless a callback received a packet outside of its bytes.
  var areWhole: Bool { client.areWhole }

  private static let properties: [AudioFileStreamPropertyID] = [
    kAudioFileStreamProperty_ReadyToProducePackets, kAudioFileStreamProperty_FileFormat,
    kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
    kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_AudioDataByteCount,
    kAudioFileStreamProperty_AudioDataPacketCount, kAudioFileStreamProperty_MaximumPacketSize,
    kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_ChannelLayout,
    kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket,
    kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket,
    kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_PacketSizeUpperBound,
    kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_BitRate, 5,
  ]

  /// One of the handles, also of closed parsers.
  func any(_ random: inout SplitMix) -> OpaquePointer? {
    unsafe streams.randomElement(using: &random)
  }

  /// Calls a function.
  ///
  /// - Parameters:
  ///   - seed: a whole file.
  ///   - foreign: a handle of something else.
  ///   - random: the source of all choices.
  /// - Returns: the code of the function.
  mutating func call(
    _ seed: [UInt8], _ foreign: OpaquePointer, _ random: inout SplitMix
  ) -> OSStatus {
    let stream = unsafe Int.random(in: 0..<30, using: &random) == 0 ? foreign : any(&random)
    guard let stream = unsafe stream else { return open() }
    switch Int.random(in: 0..<25, using: &random) {
    case 0: return open()
    case 1: return unsafe AudioFileStreamClose(stream)
    case 2..<12: return unsafe parse(stream, seed, &random)
    case 12..<16:
      var (offset, flags) = (Int64(0), AudioFileStreamSeekFlags())
      return unsafe AudioFileStreamSeek(stream, number(&random), &offset, &flags)
    default: return unsafe property(stream, &random)
    }
  }

  private mutating func open() -> OSStatus {
    var stream: AudioFileStreamID?
    let status = unsafe AudioFileStreamOpen(
      Unmanaged.passUnretained(client).toOpaque(),
      { unsafe StreamCount.of($0).note($1, $2, $3) },
      { unsafe StreamCount.of($0).receive($1, $2, $3, $4) }, 0, &stream)
    if let stream = unsafe stream { unsafe streams.append(stream) }
    return status
  }

  private func number(_ random: inout SplitMix) -> Int64 {
    Int.random(in: 0..<8, using: &random) == 0
      ? Int64(bitPattern: random.next()) : Int64.random(in: -1..<3000, using: &random)
  }

  /// Parses a part of a file: mostly from its beginning, or the part behind.
  private func parse(
    _ stream: AudioFileStreamID, _ seed: [UInt8], _ random: inout SplitMix
  ) -> OSStatus {
    client.closesNext = Int.random(in: 0..<200, using: &random) == 0
    let start =
      Bool.random(using: &random) ? 0 : Int.random(in: 0...seed.count, using: &random)
    let part = Array(seed[start...].prefix(Int.random(in: 0..<5000, using: &random)))
    let flags: AudioFileStreamParseFlags =
      Int.random(in: 0..<5, using: &random) == 0 ? .discontinuity : []
    return unsafe AudioFileStreamParseBytes(stream, UInt32(part.count), part, flags)
  }

  private func property(_ stream: AudioFileStreamID, _ random: inout SplitMix) -> OSStatus {
    let property = Self.properties.randomElement(using: &random) ?? 0
    var size: UInt32 = 0
    let status = unsafe AudioFileStreamGetPropertyInfo(stream, property, &size, nil)
    guard status == noErr, size <= 1 << 13 else { return status }
    var memory = [Int64](repeating: number(&random), count: 1 << 10)
    if Int.random(in: 0..<6, using: &random) == 0 {
      size = UInt32.random(in: 0..<100, using: &random)
    }
    return unsafe AudioFileStreamGetProperty(stream, property, &size, &memory)
  }

  /// Keeps few handles.
  mutating func forget() {
    while unsafe streams.count > 6 { unsafe AudioFileStreamClose(streams.remove(at: 0)) }
  }
}

/// Counts packets, and calls functions of a parser in its callbacks.
private final class StreamCount {
  private(set) var packetCount = 0
  private(set) var areWhole = true
  var closesNext = false

  static func of(_ data: UnsafeMutableRawPointer) -> StreamCount {
    unsafe Unmanaged<StreamCount>.fromOpaque(data).takeUnretainedValue()
  }

  func note(
    _ stream: AudioFileStreamID, _ property: AudioFileStreamPropertyID,
    _ flags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
  ) {
    unsafe flags.pointee = .cacheProperty
    var size: UInt32 = 0
    if unsafe AudioFileStreamGetPropertyInfo(stream, property, &size, nil) != noErr {
      areWhole = false
    }
    if closesNext { unsafe AudioFileStreamClose(stream) }
    closesNext = false
  }

  func receive(
    _ byteCount: UInt32, _ count: UInt32, _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) {
    packetCount += Int(count)
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(byteCount))
    // All of them may be read.
    if unsafe bytes.reduce(0, { $0 &+ Int($1) }) < 0 { areWhole = false }
    guard let descriptions = unsafe descriptions else { return }
    for index in 0..<Int(count) {
      let packet = unsafe descriptions[index]
      let end = packet.mStartOffset + Int64(packet.mDataByteSize)
      if packet.mStartOffset < 0 || end > Int64(byteCount) { areWhole = false }
    }
  }
}
