// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

@Suite struct AVAssetReaderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let names = ["a.wav", "a.flac", "a.mp3", "a.m4a", "a.aiff", "a.caf", "a.ogg"]

  @Test(arguments: names)
  func `Samples are those that SoundFileReader reads, bit for bit`(name: String) throws {
    guard let path = try SoundSamples.write(scratch, name) else { return }
    let length = try AssetSamples.own(Int16.self, path).count / 2
    for frames in [nil, 1000..<9000, 8192..<length, 0..<1, 5000..<5000] {
      let range = frames.map(AssetSamples.range)
      let (reader, output) = try AssetSamples.reading(path, AssetSamples.pcm(bits: 16), range)
      let buffers = AssetSamples.buffers(output)
      let own = try AssetSamples.own(Int16.self, path, frames)
      #expect(try AssetSamples.integers(buffers).elementsEqual(own))
      #expect(reader.status == .completed && reader.error == nil)
      var frame = CMTimeValue(frames?.lowerBound ?? 0)
      for buffer in buffers {
        #expect(buffer.presentationTimeStamp == CMTime(value: frame, timescale: 44_100))
        #expect(buffer.numSamples <= 8192 && buffer.isDataReady && buffer.isValid)
        frame += CMTimeValue(buffer.numSamples)
      }
      let planar = try AssetSamples.buffers(
        of: path, AssetSamples.pcm(bits: 32, isFloat: true, isPlanar: true), range)
      let floats = try AssetSamples.floats(planar)
      #expect(try floats.elementsEqual(AssetSamples.own(Float.self, path, frames)))
    }
  }

  @Test func `Without settings, PCM is read as it is in the file`() throws {
    for (name, encoding) in [
      ("a.wav", SoundFileFormat.Encoding.integer24), ("a.aiff", .integer16), ("a.caf", .float64),
      ("b.wav", .muLaw), ("c.wav", .integer8),
    ] {
      let path = try #require(try SoundSamples.write(scratch, name, encoding))
      let buffers = try AssetSamples.buffers(of: path, nil)
      let bytes = try AssetSamples.bytes(buffers)
      let file = try OpenFile(path)
      var stored = [UInt8](repeating: 0, count: 1 << 20)
      var count = UInt32(stored.count)
      _ = AudioFileReadBytes(file.identifier, false, 0, &count, &stored)
      let isEqual = bytes.elementsEqual(stored.prefix(Int(count)))
      #expect(isEqual, "\(name)")
      let format = try #require(buffers.first?.formatDescription?.audioStreamBasicDescription)
      #expect(try format.mFormatFlags == file.format.mFormatFlags)
      #expect(try format.mBitsPerChannel == file.format.mBitsPerChannel)
      try file.close()
    }
  }

  @Test(arguments: ["a.m4a", "a.mp3", "b.m4a", "a.flac"])
  func `Without settings, packets are read with the frames that are not sound`(
    name: String
  ) throws {
    let encoding: SoundFileFormat.Encoding? = name == "b.m4a" ? .integer16 : nil
    guard let path = try SoundSamples.write(scratch, name, encoding) else { return }
    let packets = try PacketReader(path: path)
    let (reader, output) = try AssetSamples.reading(path, nil)
    let buffers = AssetSamples.buffers(output)
    #expect(reader.status == .completed)
    let own = try packets.table.packets.indices.flatMap { try #require(packets.packet($0)) }
    let isEqual = try AssetSamples.bytes(buffers).elementsEqual(own)
    #expect(isEqual)
    #expect(buffers.map(\.numSamples).reduce(0, +) == packets.table.packets.count)
    let priming = CMTimeValue(packets.table.primingFrameCount)
    #expect(
      buffers.first?.presentationTimeStamp == CMTime(value: -priming, timescale: 44_100))
    if priming > 0 { #expect(buffers.first?.outputPresentationTimeStamp == .zero) }
    let codec = buffers.first?.formatDescription?.mediaSubType
    #expect(codec != .linearPCM)
    do {
      let sum = buffers.reduce(CMTime.zero) { $0 + $1.outputDuration }
      #expect(sum == CMTime(value: packets.table.frameCount, timescale: 44_100))
    }
    let first = try #require(buffers.first)
    let descriptions = try first.audioStreamPacketDescriptions()
    #expect(descriptions.count == first.numSamples)
    #expect(Int(descriptions[0].mDataByteSize) == packets.table.packets[0].byteCount)
    #expect(first.sampleSize(at: 1) == packets.table.packets[1].byteCount)
  }

  @Test func `Other rates and numbers of channels are converted as SoundFileReader does`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    var settings = AssetSamples.pcm(bits: 32, isFloat: true)
    settings[AVSampleRateKey] = 48_000
    settings[AVNumberOfChannelsKey] = 1
    let bytes = try AssetSamples.bytes(AssetSamples.buffers(of: path, settings))
    let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let reader = try SoundFileReader(
      path: path, client: ClientFormat(rate: .hertz48000, channelCount: 1))
    #expect(floats.elementsEqual(reader.read(Float.self, frameCount: 1 << 20)))
    let buffers = try AssetSamples.buffers(
      of: path, settings, AssetSamples.range(4410..<8820))
    #expect(buffers.map(\.numSamples).reduce(0, +) == 4800)
    #expect(buffers.first?.presentationTimeStamp == CMTime(value: 4800, timescale: 48_000))
  }

  @Test func `A mix gives single precision by default, and the settings otherwise`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let asset = AVAsset(url: URL(fileURLWithPath: path))
    for settings in [nil, AssetSamples.pcm(bits: 16)] {
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderAudioMixOutput(audioTracks: asset.tracks, audioSettings: settings)
      reader.add(output)
      #expect(reader.startReading() && reader.status == .reading)
      let bytes = try AssetSamples.bytes(AssetSamples.buffers(output))
      #expect(bytes.count == 11_025 * 2 * (settings == nil ? 4 : 2))
    }
  }

  @Test func `Settings that are not possible fail at the start`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let wrong: [[String: Any]] = [
      [AVFormatIDKey: kAudioFormatMPEG4AAC], [:], AssetSamples.pcm(bits: 7),
      [AVFormatIDKey: "lpcm"], [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: -1],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 5000],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double.nan],
    ]
    for settings in wrong {
      let reader = try AVAssetReader(asset: asset)
      reader.add(AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: settings))
      #expect(!reader.startReading() && reader.status == .failed)
      #expect(AssetSamples.code(reader.error) == .unsupportedOutputSettings)
    }
  }

  @Test func `Files that are missing or not sound, and addresses, are refused`() throws {
    let text = scratch.path("text.wav")
    try scratch.write("This is not a sound.", to: "text.wav")
    let files: [(URL, AVError.Code)] = [
      (URL(fileURLWithPath: scratch.path("none.wav")), .unknown),
      (URL(fileURLWithPath: text), .fileFormatNotRecognized),
      (try #require(URL(string: "http://127.0.0.1:1/a.wav")), .operationNotSupportedForAsset),
    ]
    for (url, code) in files {
      let error = #expect(throws: AVError.self) { try AVAssetReader(asset: AVURLAsset(url: url)) }
      #expect(error?.code == code)
      #expect((error as NSError?)?.domain == AVFoundationErrorDomain)
    }
    let missing = #expect(throws: AVError.self) {
      try AVAssetReader(asset: AVURLAsset(url: files[0].0))
    }
    let info = (missing as NSError?)?.userInfo
    #expect((info?[NSUnderlyingErrorKey] as? NSError)?.code == -43)
  }

  @Test func `A reader that is cancelled does not give further samples`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let (reader, output) = try AssetSamples.reading(path, AssetSamples.pcm(bits: 16))
    #expect(output.copyNextSampleBuffer() != nil)
    reader.cancelReading()
    #expect(reader.status == .cancelled && output.copyNextSampleBuffer() == nil)
    #expect(!reader.startReading() && !reader.canAdd(output))
  }

  @Test func `A file that is cut off while it is read fails`() throws {
    let path = try AssetSamples.tone(scratch, "long.wav", seconds: 5)
    let (reader, output) = try AssetSamples.reading(path, AssetSamples.pcm(bits: 16))
    #expect(output.copyNextSampleBuffer() != nil)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 5000)
    try handle.close()
    while output.copyNextSampleBuffer() != nil {}
    #expect(reader.status == .failed)
    #expect(AssetSamples.code(reader.error) == .decodeFailed)
  }

  @Test func `Another range is read after a reset`() throws {
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: asset.tracks[0], outputSettings: AssetSamples.pcm(bits: 16))
    output.supportsRandomAccess = true
    reader.add(output)
    reader.timeRange = AssetSamples.range(0..<100)
    #expect(reader.startReading())
    #expect(try AssetSamples.integers(AssetSamples.buffers(output)).count == 200)
    #expect(reader.status == .reading)
    let parts = [500..<700, 20..<30]
    output.reset(forReadingTimeRanges: parts.map(AssetSamples.range))
    let samples = try AssetSamples.integers(AssetSamples.buffers(output))
    let own = try parts.flatMap { try AssetSamples.own(Int16.self, path, $0) }
    #expect(samples == own && reader.status == .reading)
    output.markConfigurationAsFinal()
    #expect(reader.status == .completed)
  }
}
