// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioFiles
import Foundation
import Testing

@Suite struct AVAudioFileTests {
  private let stereo: AVAudioFormat

  init() throws {
    stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
  }

  /// A buffer of a sine and of a ramp.
  private func sound(_ frames: Int) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: UInt32(frames)))
    buffer.frameLength = UInt32(frames)
    let channels = try #require(buffer.floatChannelData)
    for frame in 0..<frames {
      channels[0][frame] = Float(sin(Double(frame) / 20)) / 2
      channels[1][frame] = Float(frame % 1000) / 1000 - 0.5
    }
    return buffer
  }

  private func place(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
  }

  private func witness(_ url: URL) throws -> [Float] {
    let reader = try SoundFileReader(path: url.path)
    return reader.read(frameCount: 1 << 20)
  }

  private func interleaved(_ buffer: AVAudioPCMBuffer) -> [Float] {
    (0..<Int(buffer.frameLength) * 2).map { buffer.floatChannelData?[$0 % 2][$0 / 2] ?? .nan }
  }

  @Test(arguments: [
    ("wav", 16, false), ("wav", 24, false), ("wav", 32, true), ("caf", 32, true),
    ("caf", 16, false), ("aif", 16, false), ("caf", 64, true), ("wav", 8, false),
  ])
  func `A written file is read as SoundFileReader reads it`(
    suffix: String, bits: Int, isFloat: Bool
  ) throws {
    let url = place("written.\(suffix)")
    defer { remove(url) }
    let buffer = try sound(20_001)
    let file = try AVAudioFile(
      forWriting: url,
      settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat,
      ])
    #expect(file.isOpen && file.processingFormat == stereo)
    try file.write(from: buffer)
    try file.write(from: buffer)
    #expect(file.length == 40_002 && file.framePosition == 40_002)
    file.close()
    #expect(!file.isOpen && file.length == 40_002)
    let read = try AVAudioFile(forReading: url)
    #expect(read.length == 40_002 && read.processingFormat == stereo)
    #expect(read.fileFormat.streamDescription.pointee.mBitsPerChannel == UInt32(bits))
    #expect(read.fileFormat == file.fileFormat)
    let all = try #require(
      AVAudioPCMBuffer(pcmFormat: read.processingFormat, frameCapacity: 50_000))
    try read.read(into: all)
    #expect(all.frameLength == 40_002)
    #expect(try interleaved(all).elementsEqual(witness(url)))
    if bits == 32 { #expect(interleaved(all).prefix(40_002).elementsEqual(interleaved(buffer))) }
    try read.read(into: all)
    #expect(all.frameLength == 0 && read.framePosition == 40_002)
  }

  @Test func `Reading goes on at the frame position`() throws {
    let url = place("position.caf")
    defer { remove(url) }
    let buffer = try sound(5000)
    do {
      let file = try AVAudioFile(forWriting: url, settings: stereo.settings)
      try file.write(from: buffer)
    }
    let file = try AVAudioFile(forReading: url)
    let part = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 64))
    for position in [4000, 17, 4990, 0] {
      file.framePosition = AVAudioFramePosition(position)
      try file.read(into: part, frameCount: 20)
      let count = min(20, 5000 - position)
      #expect(part.frameLength == UInt32(count))
      #expect(
        interleaved(part).elementsEqual(
          interleaved(buffer)[2 * position..<2 * (position + count)]))
      #expect(file.framePosition == Int64(position + count))
    }
    try file.read(into: part, frameCount: 1000)
    #expect(part.frameLength == 64)
    file.framePosition = 1 << 60
    #expect(file.framePosition == 5000)
    file.framePosition = -3
    #expect(file.framePosition == 0)
  }

  @Test func `Integers are the bits of the file`() throws {
    let url = place("integers.wav")
    defer { remove(url) }
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 1, interleaved: true))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 65_536))
    buffer.frameLength = 65_536
    for index in 0..<65_536 {
      buffer.int16ChannelData?[0][index] = Int16(truncatingIfNeeded: index)
    }
    let file = try AVAudioFile(
      forWriting: url, settings: format.settings, commonFormat: .pcmFormatInt16, interleaved: true)
    try file.write(from: buffer)
    file.close()
    let read = try AVAudioFile(
      forReading: url, commonFormat: .pcmFormatInt16, interleaved: false)
    let result = try #require(
      AVAudioPCMBuffer(pcmFormat: read.processingFormat, frameCapacity: 70_000))
    try read.read(into: result)
    #expect(result.frameLength == 65_536)
    let isEqual = (0..<65_536).allSatisfy {
      result.int16ChannelData?[0][$0] == Int16(truncatingIfNeeded: $0)
    }
    #expect(isEqual)
  }

  @Test func `More than two channels have a layout`() throws {
    let url = place("surround.wav")
    defer { remove(url) }
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
    buffer.frameLength = 10
    for channel in 0..<6 { buffer.floatChannelData?[channel][3] = Float(channel) / 8 }
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    try file.write(from: buffer)
    file.close()
    let read = try AVAudioFile(forReading: url)
    #expect(read.processingFormat.channelLayout?.channelCount == 6)
    let result = try #require(
      AVAudioPCMBuffer(pcmFormat: read.processingFormat, frameCapacity: 10))
    try read.read(into: result)
    let samples = (0..<6).map { result.floatChannelData?[$0][3] }
    #expect(samples == [0, 0.125, 0.25, 0.375, 0.5, 0.625])
  }

  @Test func `A file that is not closed is complete when it is freed`() throws {
    let url = place("freed.caf")
    defer { remove(url) }
    do {
      let file = try AVAudioFile(forWriting: url, settings: stereo.settings)
      try file.write(from: sound(100))
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
    #expect(try AVAudioFile(forReading: url).length == 100)
  }

  @Test func `Errors have the codes of Audio File Services`() throws {
    func code(_ body: () throws -> Void) -> Int? {
      do {
        try body()
        return nil
      } catch let error as NSError {
        #expect(error.domain == "com.apple.coreaudio.avfaudio")
        return error.code
      }
    }
    #expect(code { _ = try AVAudioFile(forReading: place("missing.wav")) } == -43)
    let text = place("text.wav")
    defer { remove(text) }
    try Data("This is not a sound file.".utf8).write(to: text)
    let type = Int(kAudioFileUnsupportedFileTypeError)
    #expect(code { _ = try AVAudioFile(forReading: text) } == type)
    let web = try #require(URL(string: "http://localhost/x.wav"))
    #expect(code { _ = try AVAudioFile(forReading: web) } == Int(kAudioFileUnspecifiedError))
    let settings = stereo.settings
    #expect(code { _ = try AVAudioFile(forWriting: place("x.xyz"), settings: settings) } == type)
    let data = Int(kAudioFileUnsupportedDataFormatError)
    #expect(code { _ = try AVAudioFile(forWriting: place("x.wav"), settings: [:]) } == data)
    let big: [String: Any] = settings.merging([AVLinearPCMIsBigEndianKey: true]) { $1 }
    #expect(code { _ = try AVAudioFile(forWriting: place("x.wav"), settings: big) } == data)
    let nowhere = URL(fileURLWithPath: "/nowhere/x.wav")
    #expect(code { _ = try AVAudioFile(forWriting: nowhere, settings: settings) } == -43)
  }

  @Test func `Reading and writing need the right buffer and an open file`() throws {
    let url = place("wrong.caf")
    defer { remove(url) }
    let file = try AVAudioFile(forWriting: url, settings: stereo.settings)
    let buffer = try sound(10)
    let one = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    let mono = try #require(AVAudioPCMBuffer(pcmFormat: one, frameCapacity: 10))
    func code(_ body: () throws -> Void) -> Int? {
      do {
        try body()
        return nil
      } catch { return (error as NSError).code }
    }
    #expect(code { try file.write(from: mono) } == -50)
    #expect(code { try file.read(into: buffer) } == Int(kAudioFilePermissionsError))
    try file.write(from: buffer)
    file.close()
    #expect(code { try file.write(from: buffer) } == Int(kAudioFileNotOpenError))
    let read = try AVAudioFile(forReading: url)
    #expect(code { try read.write(from: buffer) } == Int(kAudioFilePermissionsError))
    #expect(code { try read.read(into: mono) } == -50)
    read.close()
    #expect(code { try read.read(into: buffer) } == Int(kAudioFileNotOpenError))
    #expect(read.length == 10)
  }

  @Test(arguments: [
    ("m4a", kAudioFormatMPEG4AAC), ("caf", kAudioFormatMPEG4AAC),
    ("m4a", kAudioFormatAppleLossless),
  ])
  func `An encoded file has the length that was written`(
    suffix: String, id: AudioFormatID
  ) throws {
    let url = place("encoded.\(suffix)")
    defer { remove(url) }
    let buffer = try sound(44_100)
    do {
      let file = try AVAudioFile(
        forWriting: url,
        settings: [
          AVFormatIDKey: Int(id), AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
          AVEncoderBitRateKey: 128_000,
        ])
      try file.write(from: buffer)
    } catch let error as NSError {
      let reason = error.localizedFailureReason ?? ""
      try #require(reason.contains("FFmpeg"), "\(error)")
      return
    }
    let read = try AVAudioFile(forReading: url)
    #expect(read.length == 44_100)
    #expect(read.fileFormat.streamDescription.pointee.mFormatID == id)
    let result = try #require(
      AVAudioPCMBuffer(pcmFormat: read.processingFormat, frameCapacity: 50_000))
    try read.read(into: result)
    #expect(result.frameLength == 44_100)
    #expect(try interleaved(result).elementsEqual(witness(url)))
  }

  @Test func `A file that is still open when the process exits is completed`() async throws {
    let url = place("exit.wav")
    defer { remove(url) }
    await #expect(processExitsWith: .success) { [path = url.path as String] in
      let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1000)!
      buffer.frameLength = 1000
      let file = try AVAudioFile(
        forWriting: URL(fileURLWithPath: path), settings: format.settings)
      try file.write(from: buffer)
      // As a global variable of a script, which is never freed.
      _ = Unmanaged.passRetained(file)
      exit(0)
    }
    #expect(try AVAudioFile(forReading: url).length == 1000)
  }

  private func remove(_ url: URL) {
    do { try FileManager.default.removeItem(at: url) } catch {}
  }
}
