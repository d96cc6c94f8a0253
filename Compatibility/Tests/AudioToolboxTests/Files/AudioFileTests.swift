// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolboxFiles
import Foundation
import TestSupport
import Testing

/// Audio File Services; `SoundFileReader` and `PacketReader` are the witnesses.
@Suite struct AudioFileTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static func linear(
    _ bits: UInt32, _ flags: AudioFormatFlags, channels: UInt32 = 2
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: flags | kAudioFormatFlagIsPacked, mBytesPerPacket: bits / 8 * channels,
      mFramesPerPacket: 1, mBytesPerFrame: bits / 8 * channels, mChannelsPerFrame: channels,
      mBitsPerChannel: bits, mReserved: 0)
  }

  private static let signed = kAudioFormatFlagIsSignedInteger
  private static let big = kAudioFormatFlagIsBigEndian

  private static let kinds: [(AudioFileTypeID, String, AudioStreamBasicDescription)] = [
    (kAudioFileWAVEType, "wav", linear(16, signed)), (kAudioFileWAVEType, "wav", linear(8, 0)),
    (kAudioFileWAVEType, "wav", linear(32, kAudioFormatFlagIsFloat)),
    (kAudioFileRF64Type, "wav", linear(24, signed)),
    (kAudioFileWave64Type, "w64", linear(16, signed)),
    (kAudioFileAIFFType, "aiff", linear(16, signed | big)),
    (kAudioFileAIFFType, "aiff", linear(8, signed | big)),
    (kAudioFileAIFCType, "aifc", linear(16, signed)),
    (kAudioFileAIFCType, "aifc", linear(64, kAudioFormatFlagIsFloat | big)),
    (kAudioFileCAFType, "caf", linear(16, signed)), (kAudioFileCAFType, "caf", linear(24, signed)),
    (kAudioFileCAFType, "caf", linear(32, kAudioFormatFlagIsFloat)),
    (kAudioFileCAFType, "caf", linear(32, signed | big)),
    (kAudioFileNextType, "au", linear(16, signed | big)),
  ]

  @Test(arguments: kinds)
  func `A file of samples is created, written in pieces, and read`(
    type: AudioFileTypeID, suffix: String, format: AudioStreamBasicDescription
  ) throws {
    let path = scratch.path("new.\(suffix)")
    let size = Int(format.mBytesPerFrame)
    let bytes = (0..<1000 * size).map { UInt8(truncatingIfNeeded: $0 * 31 / 7) & 0x3F }
    let file = try OpenFile(creating: path, type, format)
    var start: Int64 = 0
    while start < 1000 {
      var count = UInt32(min(97, 1000 - start))
      let place = Int(start) * size
      try bytes[place..<place + Int(count) * size].withUnsafeBytes {
        try check(
          AudioFileWritePackets(
            file.identifier, false, UInt32($0.count), nil, start, &count, $0.baseAddress!))
      }
      start += Int64(count)
    }
    #expect(try file.property(kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 1000)
    // The same file can be read while it is written.
    var (count, part) = (UInt32(size), [UInt8](repeating: 0, count: size))
    #expect(AudioFileReadBytes(file.identifier, false, Int64(size), &count, &part) == noErr)
    #expect(part.elementsEqual(bytes[size..<2 * size]))
    #expect(try SoundFileReader(path: path).frameCount == 1000)
    try file.close()

    let again = try OpenFile(path)
    defer { AudioFileClose(again.identifier) }
    #expect(try again.property(kAudioFilePropertyFileFormat, UInt32(0)) == type)
    let found = try again.format
    #expect(found.mFormatFlags == format.mFormatFlags && found.mSampleRate == 44_100)
    #expect(found.mBitsPerChannel == format.mBitsPerChannel)
    let read = try again.packets(301, capacity: 1 << 14).flatMap(\.1)
    #expect(read.elementsEqual(bytes))
    #expect(try again.property(kAudioFilePropertyEstimatedDuration, 0.0) == 1000.0 / 44_100)
    #expect(try SoundFileReader(path: path).frameCount == 1000)
  }

  private static let encoded: [(String, SoundFileFormat.Encoding?, AudioFormatID)] = [
    ("a.m4a", .aac, kAudioFormatMPEG4AAC), ("l.m4a", .integer16, kAudioFormatAppleLossless),
    ("a.aac", .aac, kAudioFormatMPEG4AAC), ("a.mp3", .mp3, kAudioFormatMPEGLayer3),
    ("a.caf", .aac, kAudioFormatMPEG4AAC), ("l.caf", .alac16, kAudioFormatAppleLossless),
    ("i.caf", .imaADPCM, kAudioFormatAppleIMA4), ("f.flac", .integer16, kAudioFormatFLAC),
  ]

  @Test(arguments: encoded)
  func `Packets and their properties are those of the packet reader`(
    name: String, encoding: SoundFileFormat.Encoding?, formatID: AudioFormatID
  ) throws {
    guard let path = try SoundSamples.write(scratch, name, encoding) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    let file = try OpenFile(path)
    defer { AudioFileClose(file.identifier) }
    let reader = try PacketReader(path: path)
    let format = try file.format
    #expect(format.mFormatID == formatID && format.mChannelsPerFrame == 2)
    #expect(format.mSampleRate == 44_100)
    let packets = try file.packets(13, capacity: 1 << 16)
    let count = reader.table.packets.count
    #expect(packets.count == count && count > 2)
    for number in packets.indices {
      #expect(packets[number].1.elementsEqual(try #require(reader.packet(number))))
    }
    let sizes = reader.table.packets.map(\.byteCount)
    #expect(try file.property(kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == UInt64(count))
    #expect(
      try file.property(kAudioFilePropertyPacketSizeUpperBound, UInt32(0)) == UInt32(sizes.max()!))
    #expect(
      try file.property(kAudioFilePropertyAudioDataByteCount, UInt64(0))
        == UInt64(sizes.reduce(0, +)))
    let info = try file.property(kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
    #expect(info.mNumberValidFrames == reader.table.frameCount)
    #expect(Int(info.mPrimingFrames) == reader.table.primingFrameCount)
    #expect(
      try file.property(kAudioFilePropertyEstimatedDuration, 0.0)
        == Double(reader.table.frameCount) / 44_100)
    let list = try file.bytes(kAudioFilePropertyFormatList)
    #expect(list.count == reader.formats.count * MemoryLayout<AudioFormatListItem>.stride)
    try checkTranslations(file, reader)
  }

  private func checkTranslations(_ file: OpenFile, _ reader: PacketReader) throws {
    let packet = reader.table.packets[2]
    var frames = AudioFramePacketTranslation()
    frames.mPacket = 2
    frames = try file.property(kAudioFilePropertyPacketToFrame, frames)
    #expect(frames.mFrame == packet.firstFrame)
    frames.mFrame += 5
    frames.mPacket = 0
    frames = try file.property(kAudioFilePropertyFrameToPacket, frames)
    #expect(frames.mPacket == 2 && frames.mFrameOffsetInPacket == 5)
    var bytes = AudioBytePacketTranslation()
    bytes.mPacket = 2
    bytes = try file.property(kAudioFilePropertyPacketToByte, bytes)
    #expect(bytes.mByte == Int64(reader.table.packets[..<2].reduce(0) { $0 + $1.byteCount }))
    bytes.mByte += 3
    bytes = try file.property(kAudioFilePropertyByteToPacket, bytes)
    #expect(bytes.mPacket == 2 && bytes.mByteOffsetInPacket == 3)
    frames.mPacket = 1 << 40
    #expect(throws: StatusFailure(code: kAudioFileInvalidPacketOffsetError)) {
      try file.property(kAudioFilePropertyPacketToFrame, frames)
    }
  }

  private static let copies: [(String, SoundFileFormat.Encoding?, AudioFileTypeID, String)] = [
    ("a.m4a", .aac, kAudioFileCAFType, "caf"), ("a.m4a", .aac, kAudioFileM4AType, "m4a"),
    ("a.m4a", .aac, kAudioFileAAC_ADTSType, "aac"), ("l.caf", .alac16, kAudioFileM4AType, "m4a"),
    ("a.mp3", .mp3, kAudioFileMP3Type, "mp3"), ("i.caf", .imaADPCM, kAudioFileCAFType, "caf"),
  ]

  @Test(arguments: copies)
  func `Packets are copied with their cookie and table, and sound the same`(
    name: String, encoding: SoundFileFormat.Encoding?, type: AudioFileTypeID, suffix: String
  ) throws {
    guard let path = try SoundSamples.write(scratch, name, encoding) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    let source = try OpenFile(path)
    let target = try OpenFile(creating: scratch.path("copy.\(suffix)"), type, source.format)
    var size: UInt32 = 0
    let status = AudioFileGetPropertyInfo(
      source.identifier, kAudioFilePropertyMagicCookieData, &size, nil)
    if status == noErr, size > 0 {
      let cookie = try source.bytes(kAudioFilePropertyMagicCookieData)
      try check(
        AudioFileSetProperty(
          target.identifier, kAudioFilePropertyMagicCookieData, UInt32(cookie.count), cookie))
    }
    var number: Int64 = 0
    for (description, bytes) in try source.packets(5, capacity: 1 << 16) {
      var (count, one) = (UInt32(1), description)
      one.mStartOffset = 0
      try check(
        AudioFileWritePackets(
          target.identifier, false, UInt32(bytes.count), &one, number, &count, bytes))
      number += Int64(count)
    }
    var info = try source.property(kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
    try check(
      AudioFileSetProperty(
        target.identifier, kAudioFilePropertyPacketTableInfo,
        UInt32(MemoryLayout<AudioFilePacketTableInfo>.size), &info))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("copy.\(suffix)")))
    try target.close()
    let copy = try OpenFile(scratch.path("copy.\(suffix)"))
    let (old, new) = try (source.packets(9, capacity: 99_999), copy.packets(9, capacity: 99_999))
    #expect(old.map(\.1).elementsEqual(new.map(\.1)))
    if suffix != "aac" {
      let (one, other) = try (
        SoundSamples.samples(path), SoundSamples.samples(scratch.path("copy.\(suffix)"))
      )
      #expect(one.count == 22_050 && other.count == one.count)
      #expect(one.elementsEqual(other))
    }
    try source.close()
    try copy.close()
  }
}
