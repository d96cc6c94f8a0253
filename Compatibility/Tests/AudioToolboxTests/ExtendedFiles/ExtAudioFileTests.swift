// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioToolboxFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

@Suite struct ExtAudioFileTests {
  private let scratch: ScratchFolder
  private static let frameCount = 30_001
  private let tones = TestFormats.tones(Self.frameCount)

  init() throws { scratch = try ScratchFolder() }

  private func url(_ name: String) -> CFURL { URL(fileURLWithPath: scratch.path(name)) as CFURL }

  private func write(_ name: String, _ format: SoundFileFormat) throws -> String {
    let path = scratch.path(name)
    let writer = try SoundFileWriter(path: path, format: format, channelCount: 2, rate: .hertz44100)
    try writer.write(tones.span)
    try writer.finish()
    return path
  }

  private func channel(_ number: Int, of count: Int) -> [Float] {
    (0..<count).map { Float(tones[2 * $0 + number]) / 32_768 }
  }

  private func open(_ path: String) throws -> ExtAudioFileRef {
    var file: ExtAudioFileRef?
    let code = ExtAudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, &file)
    guard let file else { throw TestStatus(code: code) }
    return file
  }

  private func setClient(_ file: ExtAudioFileRef?, _ format: AudioStreamBasicDescription)
    -> OSStatus
  {
    var format = format
    return ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &format)
  }

  private func read<Sample: BitwiseCopyable>(
    _ file: ExtAudioFileRef, _ type: Sample.Type, channels: Int, step: Int = 777
  ) throws -> [Sample] {
    var samples: [Sample] = []
    while true {
      let size = step * channels * MemoryLayout<Sample>.size
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
      defer { memory.deallocate() }
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: UInt32(channels), mDataByteSize: UInt32(size),
          mData: memory.baseAddress))
      var count = UInt32(step)
      let code = ExtAudioFileRead(file, &count, &list)
      guard code == noErr else { throw TestStatus(code: code) }
      if count == 0 { return samples }
      samples += memory.bindMemory(to: type).prefix(Int(count) * channels)
    }
  }

  private func get<Value: BitwiseCopyable>(
    _ file: ExtAudioFileRef, _ id: ExtAudioFilePropertyID, _ value: Value
  ) throws -> Value {
    var (value, size) = (value, UInt32(MemoryLayout<Value>.size))
    let code = withUnsafeMutableBytes(of: &value) {
      ExtAudioFileGetProperty(file, id, &size, $0.baseAddress)
    }
    guard code == noErr else { throw TestStatus(code: code) }
    return value
  }

  static let files: [(String, SoundFileFormat.Encoding?)] = [
    ("a.wav", .integer16), ("a.wav", .float32), ("a.aiff", .integer24), ("a.caf", .muLaw),
    ("a.flac", nil), ("a.mp3", nil), ("a.m4a", .aac), ("a.m4a", .integer16), ("a.caf", .imaADPCM),
    ("a.ogg", nil), ("a.aac", nil),
  ]

  @Test(arguments: files)
  func `Reading equals a sound file reader bit for bit`(
    name: String, encoding: SoundFileFormat.Encoding?
  ) throws {
    let format = try SoundFileFormat(path: name, encoding: encoding)
    guard CodecCatalog.canWrite(format) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    let path = try write(name, format)
    let file = try open(path)
    defer { ExtAudioFileDispose(file) }
    let reader = try SoundFileReader(path: path)
    #expect(setClient(file, TestFormats.floats()) == noErr)
    let own = reader.read(frameCount: Self.frameCount + 4096)
    #expect(try read(file, Float.self, channels: 2).elementsEqual(own))
    if reader.frameCount < .max {
      #expect(
        try get(file, kExtAudioFileProperty_FileLengthFrames, Int64(0)) == Int64(reader.frameCount))
    }
    // Another client format, from another place.
    #expect(ExtAudioFileSeek(file, 5000) == noErr)
    #expect(reader.locate(to: SampleTime(frames: 5000)))
    #expect(setClient(file, TestFormats.integers()) == noErr)
    let rest = reader.read(Int16.self, frameCount: Self.frameCount)
    #expect(try read(file, Int16.self, channels: 2).elementsEqual(rest))
  }

  @Test(arguments: [(48_000.0, UInt32(1)), (22_050, 2), (44_100, 1)])
  func `Another rate and other channels equal a sound file reader's`(
    rate: Double, channels: UInt32
  ) throws {
    let path = try write("rate.wav", SoundFileFormat(.wav))
    let file = try open(path)
    defer { ExtAudioFileDispose(file) }
    #expect(setClient(file, TestFormats.floats(channels, rate: rate)) == noErr)
    let reader = try SoundFileReader(
      path: path,
      client: ClientFormat(rate: SampleRate(hertz: Int(rate)), channelCount: Int(channels)))
    let own = reader.read(frameCount: 100_000)
    #expect(try read(file, Float.self, channels: Int(channels)).elementsEqual(own))
    var place: Int64 = 0
    #expect(ExtAudioFileTell(file, &place) == noErr)
    #expect(abs(place - Int64(Self.frameCount)) <= 2)
  }

  @Test func `Separate buffers and 24 bits`() throws {
    let path = try write("deep.wav", SoundFileFormat(.wav))
    let file = try open(path)
    defer { ExtAudioFileDispose(file) }
    #expect(setClient(file, TestFormats.integers(24)) == noErr)
    let bytes = try read(file, UInt8.self, channels: 6)
    let wanted = tones.flatMap { sample -> [UInt8] in
      [0, UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    #expect(bytes.elementsEqual(wanted))
    #expect(setClient(file, TestFormats.floats(separate: true)) == noErr)
    #expect(ExtAudioFileSeek(file, 0) == noErr)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    var memory = [Float](repeating: 9, count: 20_000)
    memory.withUnsafeMutableBytes { bytes in
      for index in 0..<2 {
        list[index] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 40_000,
          mData: bytes.baseAddress?.advanced(by: 40_000 * index))
      }
      var count: UInt32 = 50_000
      #expect(ExtAudioFileRead(file, &count, list.unsafeMutablePointer) == noErr)
      #expect(count == 10_000 && list[1].mDataByteSize == 40_000)
    }
    free(list.unsafeMutablePointer)
    let (left, right) = (channel(0, of: 10_000), channel(1, of: 10_000))
    #expect(memory.prefix(10_000).elementsEqual(left))
    #expect(memory.dropFirst(10_000).elementsEqual(right))
  }

  static let targets: [(String, AudioFileTypeID, AudioStreamBasicDescription)] = [
    ("w.wav", kAudioFileWAVEType, TestFormats.integers()),
    ("w.caf", kAudioFileCAFType, TestFormats.floats()),
    ("w.m4a", kAudioFileM4AType, TestFormats.packets(kAudioFormatMPEG4AAC)),
    ("w.m4a", kAudioFileM4AType, TestFormats.packets(kAudioFormatMPEG4AAC, rate: 0)),
    ("w.caf", kAudioFileCAFType, TestFormats.packets(kAudioFormatMPEG4AAC)),
    ("l.m4a", kAudioFileM4AType, TestFormats.packets(kAudioFormatAppleLossless)),
    ("w.flac", kAudioFileFLACType, TestFormats.packets(kAudioFormatFLAC)),
    ("w.caf", kAudioFileCAFType, TestFormats.packets(kAudioFormatAppleIMA4)),
  ]

  private func writeTones(
    _ name: String, _ type: AudioFileTypeID, _ description: AudioStreamBasicDescription,
    client: AudioStreamBasicDescription = TestFormats.integers()
  ) throws {
    var (description, file) = (description, ExtAudioFileRef?.none)
    let code = ExtAudioFileCreateWithURL(
      url(name), type, &description, nil, AudioFileFlags.eraseFile.rawValue, &file)
    guard let file else { throw TestStatus(code: code) }
    #expect(setClient(file, client) == noErr)
    var memory = tones
    memory.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, to: Self.frameCount, by: 999) {
        let count = min(999, Self.frameCount - start)
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(4 * count),
            mData: bytes.baseAddress?.advanced(by: 4 * start)))
        #expect(ExtAudioFileWrite(file, UInt32(count), &list) == noErr)
      }
    }
    #expect(setClient(file, client) == kExtAudioFileError_InvalidOperationOrder)
    #expect(ExtAudioFileDispose(file) == noErr)
  }

  @Test(arguments: targets)
  func `A file that is written has the source's length to the frame`(
    name: String, type: AudioFileTypeID, description: AudioStreamBasicDescription
  ) throws {
    let format = try #require(SoundFileFormat(type, description))
    guard CodecCatalog.canWrite(format) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    try writeTones(name, type, description)
    let reader = try SoundFileReader(path: scratch.path(name))
    #expect(reader.frameCount == Self.frameCount && reader.rate == .hertz44100)
    let samples = reader.read(Int16.self, frameCount: .max >> 40)
    #expect(samples.count / 2 == Self.frameCount)
    if [kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatFLAC]
      .contains(description.mFormatID)
    {
      #expect(samples.elementsEqual(tones))
    }
    let file = try open(scratch.path(name))
    defer { ExtAudioFileDispose(file) }
    let found = try get(
      file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription())
    #expect(found.mFormatID == description.mFormatID && found.mSampleRate == 44_100)
  }

  @Test func `AAC at another rate has the source's length at that rate`() throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(.m4a)) else {
      try Test.cancel("no encoder of AAC (make setup-test)")
    }
    let target = TestFormats.packets(kAudioFormatMPEG4AAC, rate: 48_000)
    try writeTones("rate.m4a", kAudioFileM4AType, target)
    let reader = try SoundFileReader(path: scratch.path("rate.m4a"))
    #expect(reader.frameCount == Int((Double(Self.frameCount) * 48_000 / 44_100).rounded()))
  }

  @Test func `The converter of a file sets its bit rate`() throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(.m4a)) else {
      try Test.cancel("no encoder of AAC (make setup-test)")
    }
    func size(_ rate: UInt32) throws -> Int {
      var (description, file) = (
        TestFormats.packets(kAudioFormatMPEG4AAC), ExtAudioFileRef?.none
      )
      ExtAudioFileCreateWithURL(url("rate.m4a"), kAudioFileM4AType, &description, nil, 1, &file)
      let open = try #require(file)
      #expect(setClient(open, TestFormats.integers()) == noErr)
      var (converter, length) = (AudioConverterRef?.none, UInt32(8))
      #expect(
        ExtAudioFileGetProperty(
          open, kExtAudioFileProperty_AudioConverter, &length, &converter) == noErr)
      var rate = rate
      #expect(
        AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate) == noErr)
      #expect(
        ExtAudioFileSetProperty(open, kExtAudioFileProperty_ConverterConfig, 0, nil) == noErr)
      var memory = tones
      memory.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        #expect(ExtAudioFileWrite(open, UInt32(Self.frameCount), &list) == noErr)
      }
      #expect(ExtAudioFileDispose(open) == noErr)
      #expect(AudioConverterReset(converter) == -50)
      return try Data(contentsOf: URL(fileURLWithPath: scratch.path("rate.m4a"))).count
    }
    #expect(try size(48_000) < size(192_000))
  }

  @Test func `Files and formats that cannot be used`() throws {
    var (file, description) = (ExtAudioFileRef?.none, TestFormats.integers())
    #expect(ExtAudioFileOpenURL(url("none.wav"), &file) == kAudioFileFileNotFoundError)
    #expect(ExtAudioFileOpenURL(nil, &file) == -50)
    try Data("not a sound".utf8).write(to: URL(fileURLWithPath: scratch.path("text.wav")))
    #expect(ExtAudioFileOpenURL(url("text.wav"), &file) == kAudioFileUnsupportedFileTypeError)
    #expect(
      ExtAudioFileCreateWithURL(url("a.wav"), 0x1234, &description, nil, 1, &file)
        == kAudioFileUnsupportedFileTypeError)
    #expect(
      ExtAudioFileCreateWithURL(url("a.m4a"), kAudioFileM4AType, &description, nil, 1, &file)
        == kAudioFileUnsupportedDataFormatError)
    #expect(
      ExtAudioFileCreateWithURL(url("no/a.wav"), kAudioFileWAVEType, &description, nil, 1, &file)
        == kAudioFileFileNotFoundError)
    _ = try write("there.wav", SoundFileFormat(.wav))
    #expect(
      ExtAudioFileCreateWithURL(url("there.wav"), kAudioFileWAVEType, &description, nil, 0, &file)
        == kAudioFilePermissionsError)
    #expect(file == nil)
    #expect(ExtAudioFileDispose(nil) == -50)
  }

  @Test func `An incomplete format of the program ends with an error`() throws {
    let file = try open(try write("there.wav", SoundFileFormat(.wav)))
    var client = AudioStreamBasicDescription()
    #expect(setClient(file, client) == kExtAudioFileError_NonPCMClientFormat)
    client.mFormatID = kAudioFormatLinearPCM
    #expect(setClient(file, client) == kExtAudioFileError_InvalidDataFormat)
    client = TestFormats.packets(kAudioFormatMPEG4AAC)
    #expect(setClient(file, client) == kExtAudioFileError_NonPCMClientFormat)
    #expect(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 39, &client)
        == kExtAudioFileError_InvalidPropertySize)
    var size: UInt32 = 0
    #expect(
      ExtAudioFileGetPropertyInfo(file, 0x1234, &size, nil) == kExtAudioFileError_InvalidProperty)
    #expect(ExtAudioFileSeek(file, -1) == kExtAudioFileError_InvalidSeek)
    #expect(ExtAudioFileSeek(file, .max) == kExtAudioFileError_InvalidSeek)
    #expect(ExtAudioFileDispose(file) == noErr)
    #expect(ExtAudioFileDispose(file) == -50)
    var (place, count, list) = (Int64(0), UInt32(1), AudioBufferList())
    #expect(ExtAudioFileTell(file, &place) == -50)
    #expect(ExtAudioFileRead(file, &count, &list) == -50)
    #expect(ExtAudioFileWrite(file, 1, &list) == -50)
  }

  @Test(arguments: ["a.wav", "a.caf", "a.aif"])
  func `A file that is not disposed of is completed when the process exits`(
    name: String
  ) async throws {
    let path = scratch.path(name)
    await #expect(processExitsWith: .success) { [path = path as String] in
      var format = TestFormats.integers()
      var file: ExtAudioFileRef?
      let type =
        path.hasSuffix("wav")
        ? kAudioFileWAVEType : path.hasSuffix("caf") ? kAudioFileCAFType : kAudioFileAIFFType
      if type == kAudioFileAIFFType { format.mFormatFlags |= kAudioFormatFlagIsBigEndian }
      let code = ExtAudioFileCreateWithURL(
        URL(fileURLWithPath: path) as CFURL, type, &format, nil, 0, &file)
      guard code == noErr else { exit(1) }
      var client = TestFormats.integers()
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client)
      var samples = TestFormats.tones(1000)
      let isWritten = samples.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        return ExtAudioFileWrite(file, 1000, &list) == noErr
      }
      exit(isWritten ? 0 : 2)
    }
    let reader = try SoundFileReader(path: path)
    #expect(reader.read(Int16.self, frameCount: 2000) == TestFormats.tones(1000))
  }

  @Test func `A wrapped file is completed before the file that it writes to`() async throws {
    let path = scratch.path("wrapped.caf")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // The extended file is entered first: its turn must not depend on that.
      var other: ExtAudioFileRef?
      var format = TestFormats.integers()
      ExtAudioFileCreateWithURL(
        URL(fileURLWithPath: path + ".wav") as CFURL, kAudioFileWAVEType, &format, nil, 0, &other)
      var (identifier, file) = (AudioFileID?.none, ExtAudioFileRef?.none)
      AudioFileCreateWithURL(
        URL(fileURLWithPath: path) as CFURL, kAudioFileCAFType, &format, [], &identifier)
      guard ExtAudioFileWrapAudioFileID(identifier, true, &file) == noErr else { exit(1) }
      // Another rate: the converter holds frames back until the end.
      var client = TestFormats.integers(rate: 22_050)
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client)
      var samples = TestFormats.tones(1000)
      let isWritten = samples.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        return ExtAudioFileWrite(file, 1000, &list) == noErr
      }
      exit(isWritten ? 0 : 2)
    }
    #expect(try SoundFileReader(path: path).frameCount == 2000)
  }
}
