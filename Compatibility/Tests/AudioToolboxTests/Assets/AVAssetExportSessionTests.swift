// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import TestSupport
import Testing

@testable import AVFoundationAssets

@Suite struct AVAssetExportSessionTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let hasAAC: Bool = {
    do { return CodecCatalog.canWrite(try SoundFileFormat(.m4a, .aac)) } catch { return false }
  }()

  private func session(_ path: String, _ preset: String) throws -> AVAssetExportSession {
    try #require(
      AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: path)), presetName: preset))
  }

  private func url(_ name: String) -> URL { scratch.url.appendingPathComponent(name) }

  @Test(.enabled(if: hasAAC)) func `A higher quality is a larger file of the same length`()
    async throws
  {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 5)
    var sizes: [Int] = []
    for preset in [
      AVAssetExportPresetLowQuality, AVAssetExportPresetMediumQuality,
      AVAssetExportPresetHighestQuality,
    ] {
      let session = try session(path, preset)
      try await session.export(to: url("\(preset).m4a"), as: .m4a)
      let file = scratch.path("\(preset).m4a")
      #expect(try SoundFileReader(path: file).frameCount == 220_500)
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: file)).count)
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 3, "\(sizes)")
  }

  @Test(.enabled(if: hasAAC))
  func `A song becomes M4A of its length, with a progress that only rises and reaches 1`()
    async throws
  {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 20)
    let session = try session(path, AVAssetExportPresetAppleM4A)
    #expect(session.progress == 0 && session.status == .unknown)
    #expect(session.supportedFileTypes == [.m4a])
    (session.outputURL, session.outputFileType) = (url("out.m4a"), .m4a)
    let watch = Task {
      var shares: [Float] = []
      while session.status.rawValue < AVAssetExportSession.Status.completed.rawValue {
        shares.append(session.progress)
        await Task.yield()
      }
      return shares
    }
    let states = Task {
      var count = 0
      for await state in session.states(updateInterval: 0.001) {
        if case .exporting(let progress) = state {
          #expect((0...1).contains(progress.fractionCompleted))
        }
        count += 1
      }
      return count
    }
    await session.export()
    #expect(session.status == .completed && session.error == nil && session.progress == 1)
    let shares = await watch.value
    #expect(shares == shares.sorted() && shares.allSatisfy { (0..<1).contains($0) })
    #expect(await states.value >= 0)
    let reader = try SoundFileReader(path: scratch.path("out.m4a"))
    #expect(reader.frameCount == 882_000 && reader.metadata.tags[.title] == "A Tone")
  }

  @Test(arguments: ["a.m4a", "a.mp3"])
  func `A part of the packets is copied, and decodes to the part of the sound`(
    name: String
  ) async throws {
    guard let path = try SoundSamples.write(scratch, name) else { return }
    let type: AVFileType = name == "a.mp3" ? .mp3 : .m4a
    let session = try session(path, AVAssetExportPresetPassthrough)
    #expect(await session.compatibleFileTypes.contains(type))
    session.timeRange = AssetSamples.range(2000..<7001)
    try await session.export(to: url("part-\(name)"), as: type)
    let part = try AssetSamples.own(Float.self, scratch.path("part-\(name)"))
    let whole = try AssetSamples.own(Float.self, path, 2000..<7001)
    #expect(part.elementsEqual(whole) && session.progress == 1)
  }

  @Test func `Samples are copied into other types bit for bit`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 1, .integer24)
    for (name, type) in [("b.aiff", AVFileType.aiff), ("b.caf", .caf), ("b.wav", .wav)] {
      let session = try session(path, AVAssetExportPresetPassthrough)
      try await session.export(to: url(name), as: type)
      let copy = try AssetSamples.own(Int32.self, scratch.path(name))
      #expect(try copy.elementsEqual(AssetSamples.own(Int32.self, path)))
    }
    let part = try session(path, AVAssetExportPresetPassthrough)
    part.timeRange = CMTimeRange(
      start: CMTime(value: 1, timescale: 2), duration: .positiveInfinity)
    try await part.export(to: url("part.wav"), as: .wav)
    let samples = try AssetSamples.own(Int32.self, scratch.path("part.wav"))
    #expect(try samples.elementsEqual(AssetSamples.own(Int32.self, path, 22_050..<44_100)))
    let beyond = try session(path, AVAssetExportPresetPassthrough)
    beyond.timeRange = AssetSamples.range(44_100..<50_000)
    let error = await #expect(throws: AVError.self) {
      try await beyond.export(to: url("beyond.wav"), as: .wav)
    }
    #expect(error?.code == .exportFailed)
  }

  @Test(.enabled(if: hasAAC), arguments: [ExportPreset.m4a(bitRate: nil), .passthrough])
  func `An export that is ended half-way leaves no file`(preset: ExportPreset) throws {
    let name = preset == .passthrough ? "a.m4a" : "a.wav"
    let path = try AssetSamples.tone(scratch, name, seconds: 20)
    let folder = try ScratchFolder()
    let plan = ExportPlan(
      source: path, target: folder.path("out.m4a"), kind: try #require(AVFileType.m4a.kind),
      preset: preset, range: CMTimeRange(start: .zero, duration: .positiveInfinity))
    var shares: [Double] = []
    let isComplete = try plan.run { share in
      shares.append(share)
      return share < 0.5
    }
    #expect(!isComplete && shares.last ?? 0 >= 0.5 && shares == shares.sorted())
    #expect(try folder.names() == [])
  }

  @Test(.enabled(if: hasAAC), arguments: 0..<6)
  func `An export that is cancelled leaves no file, and one that was complete its file`(
    step: Int
  ) async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 10)
    let folder = try ScratchFolder()
    let session = try session(path, AVAssetExportPresetAppleM4A)
    let target = folder.url.appendingPathComponent("out.m4a")
    let task = Task { try await session.export(to: target, as: .m4a) }
    #expect(await PlayedFiles.wait { session.progress >= Float(step) / 8 })
    if step % 2 == 0 { session.cancelExport() } else { task.cancel() }
    let result = await task.result
    let isComplete = session.status == .completed
    #expect(try folder.names() == (isComplete ? ["out.m4a"] : []))
    switch result {
    case .success: #expect(isComplete)
    case .failure(let error):
      #expect(session.status == .cancelled && session.error == nil)
      #expect(error is CancellationError || AssetSamples.code(error) == .operationCancelled)
    }
  }

  @Test func `An existing file is an error and stays as it is`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 0.1)
    let bytes = try scratch.bytes("a.wav")
    let session = try session(path, AVAssetExportPresetPassthrough)
    (session.outputURL, session.outputFileType) = (url("a.wav"), .wav)
    await withCheckedContinuation { continuation in
      session.exportAsynchronously { continuation.resume() }
    }
    #expect(session.status == .failed && session.progress < 1)
    #expect(AssetSamples.code(session.error) == .fileAlreadyExists)
    #expect((session.error as NSError?)?.code == -11_823)
    #expect(try scratch.bytes("a.wav") == bytes)
  }

  @Test func `Exports that are not possible are refused`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 0.1)
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPreset960x540") == nil)
    let address = AVURLAsset(url: try #require(URL(string: "http://127.0.0.1:1/a.wav")))
    #expect(
      AVAssetExportSession(asset: address, presetName: AVAssetExportPresetPassthrough) == nil)
    #expect(
      AVAssetExportSession.exportPresets(compatibleWith: asset)
        == AVAssetExportSession.allExportPresets())
    for (name, type) in [("x.mp3", AVFileType.mp3), ("x.mov", .mov), ("x.mp4", .mp4)] {
      let error = await #expect(throws: AVError.self) {
        try await session(path, AVAssetExportPresetPassthrough).export(to: url(name), as: type)
      }
      #expect(error?.code == .operationNotSupportedForAsset)
    }
    let missing = try session(scratch.path("none.wav"), AVAssetExportPresetPassthrough)
    await #expect(throws: AVError.self) { try await missing.export(to: url("x.wav"), as: .wav) }
    #expect(try scratch.names() == ["a.wav"])
    let isPossible = await AVAssetExportSession.compatibility(
      ofExportPreset: AVAssetExportPresetAppleM4A, with: asset, outputFileType: .m4a)
    #expect(isPossible)
  }
}
