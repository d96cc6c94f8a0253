// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolboxFiles
import Foundation
import TestSupport
import Testing

/// Audio File Stream Services; files that are opened whole are the witness.
@Suite struct AudioFileStreamTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let kinds: [(String, SoundFileFormat.Encoding?, AudioFileTypeID)] = [
    ("a.wav", .integer16, kAudioFileWAVEType), ("a.aiff", .integer24, kAudioFileAIFFType),
    ("a.caf", .float32, kAudioFileCAFType), ("a.au", .muLaw, kAudioFileNextType),
    ("a.aac", .aac, kAudioFileAAC_ADTSType), ("a.mp3", .mp3, kAudioFileMP3Type),
    ("a.m4a", .aac, kAudioFileM4AType), ("l.m4a", .integer16, kAudioFileM4AType),
  ]

  @Test(arguments: kinds)
  func `Packets and formats are those of the file, however it is cut`(
    name: String, encoding: SoundFileFormat.Encoding?, type: AudioFileTypeID
  ) throws {
    let path =
      if type == kAudioFileM4AType, let encoding {
        try SoundSamples.writeIndexFirst(scratch, name, encoding)
      } else {
        try SoundSamples.write(scratch, name, encoding)
      }
    guard let path else { try Test.cancel("no encoder for \(name) (make setup-test)") }
    let file = try OpenFile(path)
    defer { AudioFileClose(file.identifier) }
    let format = try file.format
    let expected = try file.packets(97, capacity: 1 << 20).map(\.1)
    for step in [7, 1000, 1 << 20] {
      let sink = try StreamSink(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(sink.parse(step) == noErr)
      #expect(sink.properties.last == kAudioFileStreamProperty_ReadyToProducePackets)
      #expect(sink.properties.first == kAudioFileStreamProperty_FileFormat)
      #expect(try sink.property(kAudioFileStreamProperty_FileFormat, UInt32(0)) == type)
      let found = try sink.property(
        kAudioFileStreamProperty_DataFormat, AudioStreamBasicDescription())
      #expect(found.mFormatID == format.mFormatID && found.mSampleRate == format.mSampleRate)
      #expect(found.mBytesPerPacket == format.mBytesPerPacket)
      #expect(found.mFramesPerPacket == format.mFramesPerPacket)
      #expect(sink.packetCount == expected.count)
      #expect(sink.content.elementsEqual(expected.joined()))
      #expect(
        try sink.property(kAudioFileStreamProperty_DataOffset, Int64(0))
          == file.property(kAudioFilePropertyDataOffset, Int64(0)) - (type == 0x6164_7473 ? 7 : 0))
      if format.mBytesPerPacket == 0 {
        #expect(sink.sizes.elementsEqual(expected.map(\.count)))
      } else {
        #expect(sink.sizes.isEmpty)
      }
      try sink.close()
    }
  }

  @Test func `Seeking continues with the packet at the position`() throws {
    for (name, encoding) in [("a.wav", SoundFileFormat.Encoding.integer16), ("a.mp3", .mp3)] {
      guard let path = try SoundSamples.write(scratch, name, encoding) else { continue }
      let file = try OpenFile(path)
      let expected = try file.packets(97, capacity: 1 << 20).map(\.1)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let sink = try StreamSink(bytes: bytes)
      var (offset, flags) = (Int64(0), AudioFileStreamSeekFlags())
      #expect(
        AudioFileStreamSeek(sink.identifier, 5, &offset, &flags)
          == kAudioFileStreamError_DataUnavailable)
      #expect(sink.parse(1 << 20) == noErr)
      #expect(AudioFileStreamSeek(sink.identifier, 5, &offset, &flags) == noErr)
      #expect(flags.isEmpty)
      sink.clear()
      let start = try sink.property(kAudioFileStreamProperty_DataOffset, Int64(0)) + offset
      #expect(sink.parse(1 << 20, from: Int(start)) == noErr)
      #expect(sink.content.elementsEqual(expected.dropFirst(5).joined()))
      for packet in [-1, Int64(1) << 50, .max] {
        #expect(
          AudioFileStreamSeek(sink.identifier, packet, &offset, &flags)
            == kAudioFileStreamError_InvalidPacketOffset)
      }
      try sink.close()
      try file.close()
    }
  }

  @Test func `Codes of streams without sound, with a late index, and of closed parsers`() throws {
    let noise = try StreamSink(bytes: Data(repeating: 0x55, count: 300_000))
    #expect(noise.parse(10_000) == kAudioFileStreamError_UnsupportedFileType)
    #expect(noise.packetCount == 0 && noise.properties.isEmpty)
    var (size, memory) = (UInt32(8), [UInt8](repeating: 0, count: 64))
    #expect(
      AudioFileStreamGetProperty(
        noise.identifier, kAudioFileStreamProperty_BitRate, &size, &memory)
        == kAudioFileStreamError_DataUnavailable)
    #expect(
      AudioFileStreamGetProperty(noise.identifier, 0x3F3F_3F3F, &size, &memory)
        == kAudioFileStreamError_UnsupportedProperty)
    #expect(
      AudioFileStreamSetProperty(noise.identifier, kAudioFileStreamProperty_BitRate, 4, memory)
        == kAudioFileStreamError_UnsupportedProperty)
    #expect(AudioFileStreamParseBytes(noise.identifier, 3, nil, []) == kAudio_ParamError)
    try noise.close()
    let closed = kAudio_ParamError
    var (offset, flags) = (Int64(0), AudioFileStreamSeekFlags())
    #expect(AudioFileStreamClose(noise.identifier) == closed)
    #expect(AudioFileStreamParseBytes(noise.identifier, 3, memory, []) == closed)
    #expect(AudioFileStreamSeek(noise.identifier, 0, &offset, &flags) == closed)
    #expect(AudioFileStreamGetPropertyInfo(noise.identifier, 0, &size, nil) == closed)
    if let late = try SoundSamples.write(scratch, "a.m4a", .aac) {
      let sink = try StreamSink(bytes: Data(contentsOf: URL(fileURLWithPath: late)))
      #expect(sink.parse(1 << 20) == kAudioFileStreamError_NotOptimized)
      try sink.close()
    }
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let sink = try StreamSink(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(sink.parse(1 << 20) == noErr)
    size = 3
    #expect(
      AudioFileStreamGetProperty(
        sink.identifier, kAudioFileStreamProperty_BitRate, &size, &memory)
        == kAudioFileStreamError_BadPropertySize)
    try sink.close()
  }

  @Test func `A callback may close its parser, and may not parse`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let sink = try StreamSink(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
    sink.closesItself = true
    #expect(sink.parse(1 << 20) == noErr)
    #expect(sink.inner == kAudioFileStreamError_IllegalOperation)
    #expect(sink.packetCount == 0 && sink.properties.count == 1)
    #expect(AudioFileStreamClose(sink.identifier) == kAudio_ParamError)
  }

  @Test func `Packets and bytes are translated`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let sink = try StreamSink(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(sink.parse(1 << 20) == noErr)
    var bytes = AudioBytePacketTranslation()
    bytes.mPacket = 100
    bytes = try sink.property(kAudioFileStreamProperty_PacketToByte, bytes)
    #expect(bytes.mByte == 400)
    bytes.mByte += 3
    bytes = try sink.property(kAudioFileStreamProperty_ByteToPacket, bytes)
    #expect(bytes.mPacket == 100 && bytes.mByteOffsetInPacket == 3 && bytes.mFlags.isEmpty)
    #expect(
      try sink.property(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == 11_025)
    #expect(try sink.property(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 44_100)
    try sink.close()
  }
}

/// A parser, and all that its callbacks receive.
private final class StreamSink {
  private(set) var identifier: AudioFileStreamID
  private let bytes: Data
  private(set) var properties: [AudioFileStreamPropertyID] = []
  private(set) var content: [UInt8] = []
  private(set) var sizes: [Int] = []
  private(set) var packetCount = 0
  var closesItself = false
  /// The code of parsing inside of a callback.
  private(set) var inner: OSStatus = 0

  init(bytes: Data) throws {
    self.bytes = bytes
    identifier = OpaquePointer(bitPattern: 8).unsafelyUnwrapped
    var stream: AudioFileStreamID?
    try check(
      AudioFileStreamOpen(
        Unmanaged.passUnretained(self).toOpaque(),
        { data, stream, property, _ in
          Unmanaged<StreamSink>.fromOpaque(data).takeUnretainedValue().note(stream, property)
        },
        {
          Unmanaged<StreamSink>.fromOpaque($0).takeUnretainedValue()
            .receive(Int($1), Int($2), $3, $4)
        }, 0, &stream))
    identifier = try #require(stream)
  }

  private func note(_ stream: AudioFileStreamID, _ property: AudioFileStreamPropertyID) {
    #expect(stream == identifier)
    properties.append(property)
    guard closesItself else { return }
    inner = AudioFileStreamParseBytes(stream, 1, [0], [])
    AudioFileStreamClose(stream)
  }

  private func receive(
    _ byteCount: Int, _ count: Int, _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) {
    content += UnsafeRawBufferPointer(start: data, count: byteCount)
    packetCount += count
    guard let descriptions else { return }
    for index in 0..<count { sizes.append(Int(descriptions[index].mDataByteSize)) }
  }

  func clear() { (content, sizes, packetCount) = ([], [], 0) }

  /// Parses the bytes from a position on in pieces; returns the first code that is not 0.
  func parse(_ step: Int, from start: Int = 0) -> OSStatus {
    var place = start
    while place < bytes.count {
      let piece = Array(bytes[place..<min(place + step, bytes.count)])
      let status = AudioFileStreamParseBytes(identifier, UInt32(piece.count), piece, [])
      if status != noErr { return status }
      place += piece.count
    }
    return noErr
  }

  func property<Value>(_ property: AudioFileStreamPropertyID, _ initial: Value) throws -> Value {
    var (value, size) = (initial, UInt32(MemoryLayout<Value>.size))
    try check(
      withUnsafeMutablePointer(to: &value) {
        AudioFileStreamGetProperty(identifier, property, &size, UnsafeMutableRawPointer($0))
      })
    return value
  }

  func close() throws { try check(AudioFileStreamClose(identifier)) }
}
