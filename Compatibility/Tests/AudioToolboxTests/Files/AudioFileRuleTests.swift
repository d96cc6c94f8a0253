// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolboxFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Error codes, short buffers, metadata, callbacks and threads of Audio File Services.
@Suite struct AudioFileRuleTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let format = AudioStreamBasicDescription(
    mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
    mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
    mBitsPerChannel: 16, mReserved: 0)

  private func url(_ name: String) -> CFURL {
    URL(fileURLWithPath: scratch.path(name)) as CFURL
  }

  private func open(
    _ name: String, _ permissions: AudioFilePermissions = .readPermission
  ) -> OSStatus {
    var file: AudioFileID?
    let status = AudioFileOpenURL(url(name), permissions, 0, &file)
    #expect((file == nil) == (status != noErr))
    if let file { AudioFileClose(file) }
    return status
  }

  private func create(
    _ name: String, _ type: AudioFileTypeID, _ change: (inout AudioStreamBasicDescription) -> Void,
    flags: AudioFileFlags = .eraseFile
  ) -> OSStatus {
    var (format, file) = (Self.format, AudioFileID?.none)
    change(&format)
    let status = AudioFileCreateWithURL(url(name), type, &format, flags, &file)
    if let file { AudioFileClose(file) }
    return status
  }

  @Test func `Files that cannot be opened or created have Apple's codes`() throws {
    #expect(open("none.wav") == kAudioFileFileNotFoundError)
    try Data("not a sound, in any format".utf8).write(
      to: URL(fileURLWithPath: scratch.path("text.wav")))
    #expect(open("text.wav") == kAudioFileUnsupportedFileTypeError)
    #expect(create("a.wav", kAudioFileWAVEType) { _ in } == noErr)
    #expect(
      create("a.wav", kAudioFileWAVEType, { _ in }, flags: []) == kAudioFilePermissionsError)
    #expect(create("b.wav", kAudioFileAC3Type) { _ in } == kAudioFileUnsupportedFileTypeError)
    #expect(create("c.wav", 0) { _ in } == kAudioFileUnsupportedFileTypeError)
    let fault = kAudioFileUnsupportedDataFormatError
    #expect(create("d.aiff", kAudioFileAIFFType) { _ in } == fault)
    #expect(create("e.wav", kAudioFileWAVEType) { $0 = .init() } == fault)
    #expect(create("f.wav", kAudioFileWAVEType) { $0.mFormatFlags |= 2 } == fault)
    #expect(create("g.wav", kAudioFileWAVEType) { $0.mChannelsPerFrame = 0 } == fault)
    #expect(create("h.caf", kAudioFileCAFType) { $0.mSampleRate = .nan } == fault)
    #expect(create("i.m4a", kAudioFileM4AType) { $0.mFormatID = kAudioFormatMPEGLayer3 } == fault)
    #expect(create("no/a.wav", kAudioFileWAVEType) { _ in } == kAudioFileFileNotFoundError)
  }

  @Test func `Handles that are stale or foreign have a code`() throws {
    let file = try OpenFile(creating: scratch.path("a.wav"), kAudioFileWAVEType, Self.format)
    try file.close()
    let closed = kAudioFileNotOpenError
    #expect(AudioFileClose(file.identifier) == closed)
    #expect(AudioFileOptimize(file.identifier) == closed)
    var (size, count) = (UInt32(4), UInt32(1))
    var memory = [UInt8](repeating: 0, count: 64)
    for identifier in [file.identifier, OpaquePointer(bitPattern: 64)!] {
      #expect(AudioFileGetProperty(identifier, kAudioFilePropertyBitRate, &size, &memory) == closed)
      #expect(AudioFileSetProperty(identifier, kAudioFilePropertyBitRate, 4, memory) == closed)
      #expect(AudioFileReadBytes(identifier, false, 0, &size, &memory) == closed)
      #expect(AudioFileWritePackets(identifier, false, 2, nil, 0, &count, memory) == closed)
      #expect(AudioFileReadPacketData(identifier, false, &size, nil, 0, &count, &memory) == closed)
    }
  }

  @Test func `Short buffers, ends and permissions`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let file = try OpenFile(path)
    var (size, count) = (UInt32(10), UInt32(100))
    var memory = [UInt8](repeating: 0, count: 4096)
    func read(_ start: Int64) -> OSStatus {
      AudioFileReadPacketData(file.identifier, true, &size, nil, start, &count, &memory)
    }
    // Two frames of four bytes fit.
    #expect(read(0) == noErr && size == 8 && count == 2)
    (size, count) = (3, 1)
    #expect(read(0) == noErr && size == 0 && count == 0)
    (size, count) = (4096, 100)
    #expect(read(11_000) == noErr && size == 100 && count == 25)
    (size, count) = (4096, 100)
    #expect(read(11_025) == noErr && size == 0 && count == 0)
    #expect(read(-1) == kAudioFileInvalidPacketOffsetError)
    (size, count) = (0, 100)
    #expect(
      AudioFileReadPackets(file.identifier, false, &size, nil, 11_025, &count, &memory) == noErr)
    #expect(size == 0 && count == 0)
    size = 4096
    #expect(AudioFileReadBytes(file.identifier, false, 44_000, &size, &memory) == noErr)
    #expect(size == 100)
    size = 4096
    let end = kAudioFileEndOfFileError
    #expect(AudioFileReadBytes(file.identifier, false, 1 << 60, &size, &memory) == end)
    #expect(
      AudioFileReadBytes(file.identifier, false, -1, &size, &memory) == kAudioFilePositionError)
    (size, count) = (4, 1)
    let denied = kAudioFilePermissionsError
    #expect(AudioFileWriteBytes(file.identifier, false, 0, &size, memory) == denied)
    #expect(AudioFileWritePackets(file.identifier, false, 4, nil, 0, &count, memory) == denied)
    #expect(AudioFileOptimize(file.identifier) == denied)
    var layout = [UInt32](repeating: 0, count: 8)
    #expect(
      AudioFileSetProperty(file.identifier, kAudioFilePropertyChannelLayout, 32, &layout) == denied)
    var eight = UInt32(8)
    let wrong = kAudioFileBadPropertySizeError
    #expect(
      AudioFileGetProperty(file.identifier, kAudioFilePropertyBitRate, &eight, &memory) == wrong)
    let unknown = kAudioFileUnsupportedPropertyError
    #expect(AudioFileGetProperty(file.identifier, 0x3F3F_3F3F, &eight, &memory) == unknown)
    #expect(
      AudioFileGetPropertyInfo(file.identifier, kAudioFilePropertyMagicCookieData, &eight, nil)
        == unknown)
    try file.close()
    let writing = try OpenFile(path, .writePermission)
    #expect(AudioFileReadBytes(writing.identifier, false, 0, &size, &memory) == denied)
    try writing.close()
  }

  @Test func `A file that is opened to write is changed and grows`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let file = try OpenFile(path, .readWritePermission)
    var count: UInt32 = 2
    let bytes: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0]
    #expect(AudioFileWritePackets(file.identifier, false, 8, nil, 11_024, &count, bytes) == noErr)
    #expect(
      AudioFileWritePackets(file.identifier, false, 8, nil, 11_027, &count, bytes)
        == kAudioFileInvalidPacketOffsetError)
    try file.close()
    let samples = try SoundFileReader(path: path).read(Int16.self, frameCount: 20_000)
    #expect(samples.count == 22_052 && samples.suffix(4).elementsEqual([1, 2, 3, 4]))
    #expect(samples.prefix(22_048).elementsEqual(SoundSamples.tones.prefix(22_048)))
  }

  @Test(arguments: [(kAudioFileWAVEType, "a.wav"), (kAudioFileCAFType, "a.caf")])
  func `Texts, markers and regions are written at the end`(
    type: AudioFileTypeID, name: String
  ) throws {
    let file = try OpenFile(creating: scratch.path(name), type, Self.format)
    var count: UInt32 = 100
    try check(
      AudioFileWritePackets(
        file.identifier, false, 200, nil, 0, &count, [UInt8](repeating: 1, count: 200)))
    var texts: NSDictionary = NSMutableDictionary(
      objects: [NSString(string: "A title"), NSString(string: "A singer")],
      forKeys: [
        NSString(string: kAFInfoDictionary_Title), NSString(string: kAFInfoDictionary_Artist),
      ])
    try check(
      withUnsafePointer(to: &texts) {
        AudioFileSetProperty(
          file.identifier, kAudioFilePropertyInfoDictionary, 8, UnsafeRawPointer($0))
      })
    let label = NSString(string: "here")
    let size = NumAudioFileMarkersToNumBytes(2)
    let list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { list.deallocate() }
    list.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    list.storeBytes(of: 2, toByteOffset: 4, as: UInt32.self)
    for (index, frame) in [20.0, 60.0].enumerated() {
      let place = 8 + index * MemoryLayout<AudioFileMarker>.stride
      list.storeBytes(of: frame, toByteOffset: place, as: Double.self)
      list.storeBytes(
        of: UInt(bitPattern: Unmanaged.passUnretained(label).toOpaque()), toByteOffset: place + 8,
        as: UInt.self)
    }
    try check(
      AudioFileSetProperty(
        file.identifier, kAudioFilePropertyMarkerList, UInt32(size), list))
    try file.close()

    let again = try OpenFile(scratch.path(name))
    var dictionary: CFDictionary?
    var bytes: UInt32 = 8
    try check(
      withUnsafeMutablePointer(to: &dictionary) {
        AudioFileGetProperty(
          again.identifier, kAudioFilePropertyInfoDictionary, &bytes, UnsafeMutableRawPointer($0))
      })
    let found = try #require(dictionary)
    #expect("\(found[NSString(string: kAFInfoDictionary_Title)] ?? "")" == "A title")
    #expect("\(found[NSString(string: kAFInfoDictionary_Artist)] ?? "")" == "A singer")
    let markers = try again.bytes(kAudioFilePropertyMarkerList)
    #expect(markers.count == size)
    markers.withUnsafeBytes {
      #expect($0.loadUnaligned(fromByteOffset: 8, as: Double.self) == 20)
      let place = 8 + MemoryLayout<AudioFileMarker>.stride
      #expect($0.loadUnaligned(fromByteOffset: place, as: Double.self) == 60)
      let name = $0.loadUnaligned(fromByteOffset: place + 8, as: UInt.self)
      let text = Unmanaged<NSString>.fromOpaque(UnsafeRawPointer(bitPattern: name)!)
      #expect(text.takeRetainedValue().description == "here")
    }
    try again.close()
    #expect(try SoundFileReader(path: scratch.path(name)).metadata.markers.count == 2)
  }

  @Test func `A layout of loudspeakers is set before the samples`() throws {
    var format = Self.format
    (format.mChannelsPerFrame, format.mBytesPerFrame, format.mBytesPerPacket) = (6, 12, 12)
    let file = try OpenFile(creating: scratch.path("a.wav"), kAudioFileWAVEType, format)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
    let size = UInt32(MemoryLayout<AudioChannelLayout>.size)
    try check(
      AudioFileSetProperty(file.identifier, kAudioFilePropertyChannelLayout, size, &layout))
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    #expect(
      AudioFileSetProperty(file.identifier, kAudioFilePropertyChannelLayout, size, &layout)
        == kAudioFileUnsupportedDataFormatError)
    try file.close()
    let again = try OpenFile(scratch.path("a.wav"))
    let found = try again.bytes(kAudioFilePropertyChannelLayout)
    let tag = found.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    #expect(tag == kAudioChannelLayoutTag_MPEG_5_1_A)
    try again.close()
  }

  @Test func `Bytes are read through functions of the program, which cannot use their file`() throws
  {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let box = CallbackFile(try Data(contentsOf: URL(fileURLWithPath: path)))
    let data = Unmanaged.passUnretained(box).toOpaque()
    var file: AudioFileID?
    try check(
      AudioFileOpenWithCallbacks(
        data,
        { data, position, count, buffer, actual in
          let box = Unmanaged<CallbackFile>.fromOpaque(data).takeUnretainedValue()
          return box.read(position, count, buffer, actual)
        }, nil,
        { Int64(Unmanaged<CallbackFile>.fromOpaque($0).takeUnretainedValue().data.count) }, nil, 0,
        &file))
    box.file = file
    var (size, memory) = (UInt32(8), [UInt8](repeating: 0, count: 8))
    #expect(AudioFileReadBytes(try #require(file), false, 4, &size, &memory) == noErr)
    #expect(
      memory.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        .elementsEqual(SoundSamples.tones[2..<6]))
    #expect(box.inner == kAudioFileOperationNotSupportedError)
    #expect(box.closing == kAudioFileOperationNotSupportedError)
    // It is open still.
    #expect(AudioFileReadBytes(try #require(file), false, 4, &size, &memory) == noErr)
    #expect(AudioFileClose(try #require(file)) == noErr)
    #expect(AudioFileClose(try #require(file)) == kAudioFileNotOpenError)
  }

  @Test func `Threads that read, write and close one file do no harm`() async throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let expected = SoundSamples.tones.withUnsafeBytes { Array($0.prefix(400)) }
    for _ in 0..<20 {
      let address = UInt(bitPattern: try OpenFile(path).identifier)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let file = AudioFileID(bitPattern: address)!
            for _ in 0..<20 {
              var (size, memory) = (UInt32(400), [UInt8](repeating: 0, count: 400))
              let status = AudioFileReadBytes(file, false, 0, &size, &memory)
              #expect(status == noErr || status == kAudioFileNotOpenError)
              if status == noErr { #expect(memory.elementsEqual(expected)) }
            }
            if number == 0 { AudioFileClose(file) }
          }
        }
      }
    }
  }

  @Test func `Types, their extensions and formats`() throws {
    var size: UInt32 = 0
    try check(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_ReadableTypes, 0, nil, &size))
    var types = [UInt32](repeating: 0, count: Int(size) / 4)
    try check(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ReadableTypes, 0, nil, &size, &types))
    #expect(types.contains(kAudioFileWAVEType) && types.contains(kAudioFileM4AType))
    var name: NSString = "caf"
    size = 64
    var found = [UInt32](repeating: 0, count: 16)
    try check(
      withUnsafeMutablePointer(to: &name) {
        AudioFileGetGlobalInfo(
          kAudioFileGlobalInfo_TypesForExtension, 8, UnsafeMutableRawPointer($0), &size, &found)
      })
    #expect(size == 4 && found[0] == kAudioFileCAFType)
    var pair = AudioFileTypeAndFormatID(
      mFileType: kAudioFileAIFFType, mFormatID: kAudioFormatLinearPCM)
    try check(
      AudioFileGetGlobalInfoSize(
        kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size))
    var formats = [AudioStreamBasicDescription](
      repeating: .init(), count: Int(size) / MemoryLayout<AudioStreamBasicDescription>.stride)
    try check(
      AudioFileGetGlobalInfo(
        kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size, &formats))
    #expect(formats.map(\.mBitsPerChannel) == [8, 16, 24, 32])
    pair.mFormatID = kAudioFormatMPEG4AAC
    #expect(
      AudioFileGetGlobalInfoSize(
        kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 8, &pair, &size)
        == kAudioFileUnsupportedDataFormatError)
    #expect(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_FileTypeName, 3, &pair, &size)
        == kAudioFileBadPropertySizeError)
  }
}

/// Bytes that a test provides.
private final class CallbackFile {
  let data: Data
  var file: AudioFileID?
  /// The code of a function of the same file inside of its callback.
  var inner: OSStatus = 0
  /// The code of closing the file inside of its callback.
  var closing: OSStatus = 0

  init(_ data: Data) { self.data = data }

  func read(
    _ position: Int64, _ count: UInt32, _ buffer: UnsafeMutableRawPointer,
    _ actual: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    if let file {
      inner = AudioFileGetPropertyInfo(file, kAudioFilePropertyBitRate, nil, nil)
      closing = AudioFileClose(file)
    }
    let start = min(max(0, Int(position)), data.count)
    let bytes = data[start..<min(data.count, start + Int(count))]
    buffer.copyMemory(from: Array(bytes), byteCount: bytes.count)
    actual.pointee = UInt32(bytes.count)
    return noErr
  }
}
