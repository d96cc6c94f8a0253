// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct AVAssetWriterTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func writer(
    _ name: String, _ type: AVFileType, _ settings: [String: Any]?
  ) throws -> (AVAssetWriter, AVAssetWriterInput) {
    let writer = try AVAssetWriter(
      outputURL: URL(fileURLWithPath: scratch.path(name)), fileType: type)
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
    try #require(writer.canAdd(input))
    writer.add(input)
    return (writer, input)
  }

  /// Appends buffers as programs do, and finishes.
  private func write(
    _ buffers: [CMSampleBuffer], _ writer: AVAssetWriter, _ input: AVAssetWriterInput,
    from start: CMTime = .zero
  ) async throws {
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: start)
    let rest = Mutex(buffers[...])
    let isDone = Mutex(false)
    input.requestMediaDataWhenReady(on: DispatchQueue(label: "samples")) {
      while input.isReadyForMoreMediaData {
        guard let buffer = rest.withLock({ $0.popFirst() }), input.append(buffer) else {
          input.markAsFinished()
          return isDone.withLock { $0 = true }
        }
      }
      if writer.status == .failed { isDone.withLock { $0 = true } }
    }
    #expect(await PlayedFiles.wait { isDone.withLock { $0 } })
    await writer.finishWriting()
  }

  private func buffers(
    _ path: String, _ settings: [String: Any]?
  ) throws -> [CMSampleBuffer] {
    try AssetSamples.buffers(of: path, settings)
  }

  @Test(arguments: [
    ("out.wav", AVFileType.wav, 16, false), ("out.caf", .caf, 32, true),
    ("out.aiff", .aiff, 16, false), ("out.wav", .wav, 24, false), ("out.aifc", .aifc, 32, true),
  ])
  func `PCM is written bit for bit`(
    name: String, type: AVFileType, bits: Int, isFloat: Bool
  ) async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 3)
    let big = type == .aiff || type == .aifc
    var settings = AssetSamples.pcm(bits: bits, isFloat: isFloat)
    settings[AVLinearPCMIsBigEndianKey] = big
    settings[AVSampleRateKey] = 44_100
    settings[AVNumberOfChannelsKey] = 2
    let (writer, input) = try writer(name, type, settings)
    let read = AssetSamples.pcm(bits: 32, isFloat: isFloat, isPlanar: isFloat)
    try await write(try buffers(path, read), writer, input)
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
    let written = try AssetSamples.own(Float.self, scratch.path(name))
    #expect(try written.elementsEqual(AssetSamples.own(Float.self, path)))
    let reader = try SoundFileReader(path: scratch.path(name))
    #expect(reader.format?.encoding.rawValue == (isFloat ? "float" : "\(bits)"))
  }

  @Test func `Samples without settings are written as they are`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 1, .integer24)
    for (name, type) in [("b.wav", AVFileType.wav), ("b.aiff", .aiff), ("b.caf", .caf)] {
      let (writer, input) = try writer(name, type, nil)
      try await write(try buffers(path, nil), writer, input)
      #expect(writer.status == .completed, "\(String(describing: writer.error))")
      let written = try AssetSamples.own(Int32.self, scratch.path(name))
      #expect(try written.elementsEqual(AssetSamples.own(Int32.self, path)))
    }
  }

  @Test func `AAC has the length of its source to the frame`() async throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(.m4a, .aac)) else { return }
    let path = try #require(try SoundSamples.write(scratch, "a.wav"))
    let (writer, input) = try writer(
      "out.m4a", .m4a,
      [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        AVEncoderBitRateKey: 96_000,
      ])
    try await write(try buffers(path, AssetSamples.pcm(bits: 16)), writer, input)
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let reader = try SoundFileReader(path: scratch.path("out.m4a"))
    #expect(reader.frameCount == 11_025 && !reader.isFrameCountEstimated)
    #expect(reader.formats.first?.codec == .aac)
  }

  @Test(arguments: ["a.m4a", "a.mp3", "b.m4a"])
  func `Packets are written as they are, and decode to the same samples`(
    name: String
  ) async throws {
    let encoding: SoundFileFormat.Encoding? = name == "b.m4a" ? .integer16 : nil
    guard let path = try SoundSamples.write(scratch, name, encoding) else { return }
    let isMP3 = name == "a.mp3"
    let (writer, input) = try writer(isMP3 ? "c.mp3" : "c.m4a", isMP3 ? .mp3 : .m4a, nil)
    try await write(try buffers(path, nil), writer, input)
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let written = try AssetSamples.own(Float.self, writer.outputURL.path)
    #expect(try written.elementsEqual(AssetSamples.own(Float.self, path)))
  }

  @Test func `Samples before the session are left out, and silence precedes late ones`()
    async throws
  {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 1)
    let own = try AssetSamples.own(Int16.self, path)
    let buffers = try buffers(path, AssetSamples.pcm(bits: 16))
    let (late, lateInput) = try writer("late.wav", .wav, nil)
    try await write(
      buffers, late, lateInput, from: CMTime(value: 10_000, timescale: 44_100))
    let cut = try AssetSamples.own(Int16.self, scratch.path("late.wav"))
    #expect(cut.elementsEqual(own.dropFirst(20_000)))
    let (early, earlyInput) = try writer("early.wav", .wav, nil)
    try await write(buffers, early, earlyInput, from: CMTime(value: -100, timescale: 44_100))
    let padded = try AssetSamples.own(Int16.self, scratch.path("early.wav"))
    #expect(padded.prefix(200).allSatisfy { $0 == 0 })
    #expect(padded.dropFirst(200).elementsEqual(own))
    let (far, farInput) = try writer("far.wav", .wav, nil)
    try await write(buffers, far, farInput, from: CMTime(value: -7200, timescale: 1))
    #expect(AssetSamples.code(far.error) == .mediaDiscontinuity && far.status == .failed)
  }

  @Test func `A writer that is cancelled half-way leaves no file`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 3)
    let buffers = try buffers(path, AssetSamples.pcm(bits: 16))
    let folder = try ScratchFolder()
    let writer = try AVAssetWriter(
      url: folder.url.appendingPathComponent("out.wav"), fileType: .wav)
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for buffer in buffers.prefix(buffers.count / 2) {
      while !input.isReadyForMoreMediaData { try await Task.sleep(for: .milliseconds(1)) }
      #expect(input.append(buffer))
    }
    writer.cancelWriting()
    #expect(writer.status == .cancelled && !input.append(buffers[0]))
    #expect(try folder.names() == [])
    await writer.finishWriting()
    #expect(writer.status == .cancelled && writer.error == nil)
    #expect(try folder.names() == [])
  }

  @Test func `A writer that is cancelled at any time leaves a complete file or none`()
    async throws
  {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 1)
    let buffers = try buffers(path, AssetSamples.pcm(bits: 16))
    for pause in 0..<24 {
      let folder = try ScratchFolder()
      let writer = try AVAssetWriter(
        url: folder.url.appendingPathComponent("out.wav"), fileType: .wav)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      let cancelling = Task {
        try await Task.sleep(for: .microseconds(pause * pause * 20))
        writer.cancelWriting()
      }
      for buffer in buffers { input.append(buffer) }
      await writer.finishWriting()
      _ = await cancelling.result
      let isComplete = writer.status == .completed
      #expect(isComplete || writer.status == .cancelled)
      #expect(try folder.names() == (isComplete ? ["out.wav"] : []))
    }
  }

  @Test func `A writer that is freed leaves no file`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 1)
    let buffers = try buffers(path, AssetSamples.pcm(bits: 16))
    let folder = try ScratchFolder()
    func begin() throws {
      let writer = try AVAssetWriter(
        url: folder.url.appendingPathComponent("out.wav"), fileType: .wav)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
      writer.add(input)
      #expect(writer.startWriting())
      writer.startSession(atSourceTime: .zero)
      #expect(input.append(buffers[0]))
    }
    try begin()
    #expect(await PlayedFiles.wait { (try? folder.names()) == [] })
  }

  @Test func `A file that exists, a missing folder and no samples are errors`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 0.1)
    let bytes = try scratch.bytes("a.wav")
    let (taken, _) = try writer("a.wav", .wav, nil)
    #expect(!taken.startWriting() && taken.status == .failed)
    #expect(AssetSamples.code(taken.error) == .fileAlreadyExists)
    #expect(try scratch.bytes("a.wav") == bytes && path.hasSuffix("a.wav"))
    let (lost, _) = try writer("none/a.wav", .wav, nil)
    #expect(!lost.startWriting() && AssetSamples.code(lost.error) == .unknown)
    let (empty, input) = try writer("empty.wav", .wav, nil)
    try await write([], empty, input)
    #expect(AssetSamples.code(empty.error) == .noDataCaptured && empty.status == .failed)
    #expect(try scratch.names() == ["a.wav"])
  }

  @Test func `Types, inputs and settings that are not possible are refused`() throws {
    for type in [AVFileType.mov, .ac3, AVFileType("x")] {
      #expect(throws: AVError.self) { try AVAssetWriter(url: scratch.url, fileType: type) }
    }
    let address = try #require(URL(string: "http://127.0.0.1/a.wav"))
    #expect(throws: AVError.self) { try AVAssetWriter(url: address, fileType: .wav) }
    let writer = try AVAssetWriter(
      url: scratch.url.appendingPathComponent("a.wav"), fileType: .wav)
    let aac: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC]
    #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .audio, outputSettings: aac)))
    #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: nil)))
    #expect(!writer.canApply(outputSettings: [AVFormatIDKey: "x"], forMediaType: .audio))
    #expect(!writer.startWriting() && writer.status == .unknown)
  }

  @Test func `Samples of another format fail, and no file is left`() async throws {
    guard let packets = try SoundSamples.write(scratch, "a.m4a") else { return }
    let wave = try #require(try SoundSamples.write(scratch, "a.wav"))
    let (one, input) = try writer("x.wav", .wav, AssetSamples.pcm(bits: 16))
    try await write(try buffers(packets, nil), one, input)
    #expect(AssetSamples.code(one.error) == .invalidSourceMedia && one.status == .failed)
    let (two, second) = try writer("y.wav", .wav, nil)
    let mixed =
      try buffers(wave, AssetSamples.pcm(bits: 16))
      + buffers(wave, AssetSamples.pcm(bits: 32, isFloat: true))
    try await write(mixed, two, second)
    #expect(AssetSamples.code(two.error) == .invalidSourceMedia)
    let (three, third) = try writer("z.wav", .wav, nil)
    try await write(try buffers(packets, nil), three, third)
    #expect(AssetSamples.code(three.error) == .unsupportedOutputSettings)
    #expect(try scratch.names() == ["a.m4a", "a.wav"])
  }

  @Test func `Texts are written`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 0.1)
    let (writer, input) = try writer("b.wav", .wav, nil)
    let title = AVMutableMetadataItem()
    title.identifier = .commonIdentifierTitle
    title.value = NSString(string: "New")
    writer.metadata = [title]
    try await write(try buffers(path, nil), writer, input)
    #expect(try SoundFileReader(path: scratch.path("b.wav")).metadata.tags[.title] == "New")
  }
}
