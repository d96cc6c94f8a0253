// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import ClipPlayback
import MusicalTime
import TestSupport
import Testing

@Suite struct SoundRecorderTests {
  @Test func `samples are written up to the limit, and metered`() throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    let path = folder.path("a.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .float32), channelCount: 2, rate: rate)
    let recorder = try SoundRecorder(writer, rate: rate, frameLimit: 10_000)
    var samples: [Float] = []
    var isWanted = true
    while isWanted {
      let block = (0..<2000).map { Float((samples.count + $0) % 777) / 1000 }
      isWanted = recorder.take(block.span)
      samples += block
    }
    #expect(recorder.level.left.maximum > 0.5)
    try recorder.finish()
    #expect(recorder.frameCount == 10_000)
    #expect(recorder.lostFrameCount == 0)
    let back = try SoundFileReader(path: path).read(frameCount: 20_000)
    #expect(back == Array(samples[..<20_000]))
  }

  private struct SourceLost: Error {}

  @Test func `sound before the loss of a source is saved, and the loss is reported`() throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    let path = folder.path("a.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .float32), channelCount: 1, rate: rate)
    let recorder = try SoundRecorder(writer, rate: rate)
    var blocks: [[Float]] = [[], [0.25, 0.5], [], [0.75]]
    #expect(throws: SourceLost.self) {
      try recorder.record {
        guard !blocks.isEmpty else { throw SourceLost() }
        return blocks.removeFirst()
      }
    }
    #expect(recorder.frameCount == 3)
    #expect(try SoundFileReader(path: path).read(frameCount: 10) == [0.25, 0.5, 0.75])
  }

  @Test func `a source that is lost before any sound keeps an older file`() throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    let path = folder.path("a.wav")
    for isOlder in [true, false] {
      let writer = try SoundFileWriter(
        path: path, format: SoundFileFormat(.wav, .float32), channelCount: 1, rate: rate)
      let recorder = try SoundRecorder(writer, rate: rate)
      var blocks: [[Float]] = isOlder ? [[0.5]] : [[]]
      #expect(throws: SourceLost.self) {
        try recorder.record {
          guard !blocks.isEmpty else { throw SourceLost() }
          return blocks.removeFirst()
        }
      }
    }
    #expect(try folder.names() == ["a.wav"])
    #expect(try SoundFileReader(path: path).read(frameCount: 10) == [0.5])
  }

  @Test func `a released recorder leaves no file`() async throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    do {
      let writer = try SoundFileWriter(
        path: folder.path("a.wav"), format: SoundFileFormat(.wav), rate: rate)
      let recorder = try SoundRecorder(writer, rate: rate)
      let samples: [Float] = [0, 0]
      _ = recorder.take(samples.span)
    }
    #expect(try await wait { try folder.names() == [] })
  }
}
