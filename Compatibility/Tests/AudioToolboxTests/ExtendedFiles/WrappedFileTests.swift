// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioToolboxFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Extended audio files around an `AudioFileID`.
@Suite struct WrappedFileTests {
  private let scratch: ScratchFolder
  private let tones = TestFormats.tones(20_001)

  init() throws { scratch = try ScratchFolder() }

  private func url(_ name: String) -> CFURL { URL(fileURLWithPath: scratch.path(name)) as CFURL }

  private func setClient(_ file: ExtAudioFileRef, _ format: AudioStreamBasicDescription) -> OSStatus
  {
    var format = format
    return ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &format)
  }

  private func write(_ file: ExtAudioFileRef) -> OSStatus {
    var memory = tones
    return memory.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      return ExtAudioFileWrite(file, UInt32(tones.count / 2), &list)
    }
  }

  static let kinds: [(String, AudioFileTypeID, AudioStreamBasicDescription)] = [
    ("a.wav", kAudioFileWAVEType, TestFormats.integers()),
    ("a.caf", kAudioFileCAFType, TestFormats.floats()),
    ("a.m4a", kAudioFileM4AType, TestFormats.packets(kAudioFormatMPEG4AAC)),
    ("a.m4a", kAudioFileM4AType, TestFormats.packets(kAudioFormatAppleLossless)),
    ("b.caf", kAudioFileCAFType, TestFormats.packets(kAudioFormatMPEG4AAC)),
  ]

  @Test(arguments: kinds)
  func `Written and read through the program's file`(
    name: String, type: AudioFileTypeID, description: AudioStreamBasicDescription
  ) throws {
    let format = try #require(SoundFileFormat(type, description))
    guard CodecCatalog.canWrite(format) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    var description = description
    if description.mFormatID == kAudioFormatMPEG4AAC { description.mFramesPerPacket = 1024 }
    if description.mFormatID == kAudioFormatAppleLossless { description.mFramesPerPacket = 4096 }
    var (made, wrapped) = (AudioFileID?.none, ExtAudioFileRef?.none)
    #expect(AudioFileCreateWithURL(url(name), type, &description, .eraseFile, &made) == noErr)
    let id = try #require(made)
    #expect(ExtAudioFileWrapAudioFileID(id, true, &wrapped) == noErr)
    let file = try #require(wrapped)
    #expect(setClient(file, TestFormats.integers()) == noErr)
    #expect(write(file) == noErr)
    #expect(ExtAudioFileDispose(file) == noErr)
    #expect(AudioFileClose(id) == noErr)

    let reader = try SoundFileReader(path: scratch.path(name))
    #expect(reader.frameCount == tones.count / 2)
    let own = reader.read(Int16.self, frameCount: 1 << 20)
    if description.mFormatID != kAudioFormatMPEG4AAC { #expect(own.elementsEqual(tones)) }
    try read(name, own)
  }

  private func read(_ name: String, _ own: [Int16]) throws {
    var (opened, wrapped) = (AudioFileID?.none, ExtAudioFileRef?.none)
    #expect(AudioFileOpenURL(url(name), .readPermission, 0, &opened) == noErr)
    let id = try #require(opened)
    #expect(ExtAudioFileWrapAudioFileID(id, true, &wrapped) == kAudioFilePermissionsError)
    #expect(ExtAudioFileWrapAudioFileID(id, false, &wrapped) == noErr)
    let file = try #require(wrapped)
    #expect(setClient(file, TestFormats.integers()) == noErr)
    var (samples, count) = ([Int16](repeating: 0, count: 1 << 17), UInt32(1 << 16))
    samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      #expect(ExtAudioFileRead(file, &count, &list) == noErr)
    }
    #expect(Int(count) == own.count / 2 && samples.prefix(own.count).elementsEqual(own))
    var (found, size) = (AudioFileID?.none, UInt32(8))
    #expect(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioFile, &size, &found) == noErr)
    #expect(found == id)
    #expect(ExtAudioFileDispose(file) == noErr)
    #expect(AudioFileClose(id) == noErr)
    #expect(ExtAudioFileWrapAudioFileID(id, false, &wrapped) == kAudioFileNotOpenError)
  }

  @Test func `A file that is read has an AudioFileID until it is disposed of`() throws {
    let writer = try SoundFileWriter(
      path: scratch.path("a.wav"), format: SoundFileFormat(.wav), channelCount: 2,
      rate: .hertz44100)
    try writer.write(tones.span)
    try writer.finish()
    var file: ExtAudioFileRef?
    #expect(ExtAudioFileOpenURL(url("a.wav"), &file) == noErr)
    var (id, size) = (AudioFileID?.none, UInt32(8))
    #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioFile, &size, &id) == noErr)
    let opened = try #require(id)
    var (count, length) = (UInt64(0), UInt32(8))
    #expect(
      AudioFileGetProperty(opened, kAudioFilePropertyAudioDataPacketCount, &length, &count)
        == noErr)
    #expect(count == UInt64(tones.count / 2))
    #expect(ExtAudioFileDispose(file) == noErr)
    #expect(AudioFileClose(opened) == kAudioFileNotOpenError)
  }
}
