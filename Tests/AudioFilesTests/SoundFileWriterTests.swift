// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct SoundFileWriterTests {
  private typealias Format = SoundFileFormat

  /// Every pair that can be written, and the allowed difference of a sample.
  static let pairs: [(SoundFileFormat.Container, SoundFileFormat.Encoding, Float)] = [
    (.wav, .integer16, 1.6e-5), (.wav, .integer24, 6.1e-8), (.wav, .integer32, 3e-8),
    (.wav, .float32, 0), (.aiff, .integer16, 1.6e-5), (.aiff, .integer24, 6.1e-8),
    (.aiff, .integer32, 3e-8), (.aiff, .float32, 0), (.caf, .integer16, 1.6e-5),
    (.caf, .integer24, 6.1e-8), (.caf, .integer32, 3e-8), (.caf, .float32, 0),
    (.flac, .integer16, 1.6e-5), (.flac, .integer24, 6.1e-8), (.flac, .integer8, 4e-3),
    (.wav, .integer8, 4e-3), (.wav, .float64, 0), (.wav, .muLaw, 2e-2), (.wav, .aLaw, 2e-2),
    (.aiff, .float64, 0), (.aiff, .integer8, 4e-3), (.caf, .muLaw, 2e-2),
    (.w64, .integer16, 1.6e-5),
    (.w64, .float32, 0), (.rf64, .integer24, 6.1e-8), (.rf64, .float64, 0),
    (.au, .integer16, 1.6e-5),
    (.au, .float32, 0), (.au, .aLaw, 2e-2), (.au, .integer8, 4e-3),
  ]

  @Test(arguments: pairs)
  func `written samples are read back`(
    container: SoundFileFormat.Container, encoding: SoundFileFormat.Encoding, error: Float
  ) throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.\(container.rawValue)")
    let samples = sine(frameCount: 10_000)
    try write(samples, to: path, Format(container, encoding))
    let reader = try SoundFileReader(path: path)
    #expect(reader.channelCount == 2)
    #expect(reader.rate.hertz == 48_000)
    #expect(reader.frameCount == 10_000)
    let back = reader.read(frameCount: 20_000)
    #expect(back.count == samples.count)
    #expect(zip(back, samples).allSatisfy { abs($0 - $1) <= error })
    #expect(try folder.names() == ["a.\(container.rawValue)"])
  }

  @Test(arguments: ["ogg", "opus", "mp3"])
  func `a lossy codec keeps the length, and the level to a tenth of a decibel`(suffix: String)
    throws
  {
    let folder = try ScratchFolder()
    let path = folder.path("a.\(suffix)")
    let samples = sine(frameCount: 48_000)
    try write(samples, to: path, Format(path: path))
    let back = try SoundFileReader(path: path).read(frameCount: 100_000)
    #expect(back.count == samples.count)
    let level = back.reduce(0) { $0 + $1 * $1 } / samples.reduce(0) { $0 + $1 * $1 }
    #expect(abs(10 * log10(Double(level))) < 0.1)
  }

  @Test func `the same samples give the same bytes`() throws {
    let folder = try ScratchFolder()
    let samples = sine(frameCount: 5000)
    let formats = try Format.Container.allCases.flatMap { container in
      try container.encodings.map { try Format(container, $0) }
    }
    for (index, format) in formats.enumerated() {
      try write(samples, to: folder.path("first-\(index)"), format)
    }
    // The peak chunk, which is turned off, would contain the time in seconds.
    usleep(1_050_000)
    for (index, format) in formats.enumerated() {
      try write(samples, to: folder.path("second-\(index)"), format)
      #expect(try folder.bytes("first-\(index)") == folder.bytes("second-\(index)"), "\(format)")
    }
  }

  @Test func `integers are rounded to the nearest and clamped at full scale`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.wav")
    let step = Float(1) / 32768
    let samples: [Float] = [1, -1, 1.5, -1.5, .nan, 0.5 * step, 1.5 * step, -0.4 * step]
    let writer = try SoundFileWriter(
      path: path, format: Format(.wav), channelCount: 1, rate: #require(SampleRate(hertz: 48_000)))
    try writer.write(samples.span)
    #expect(writer.clampedSampleCount == 3)
    try writer.finish()
    let back = try SoundFileReader(path: path).read(frameCount: 100).map { $0 * 32768 }
    #expect(back == [32767, -32768, 32767, -32768, 0, 0, 2, 0])
  }

  @Test func `a file of more than 4 GB becomes RF64 or is refused at the start`() throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    let path = folder.path("a.wav")
    let writer = try SoundFileWriter(
      path: path, format: Format(.wav), rate: rate, expectedFrameCount: 1 << 31)
    try writer.finish()
    #expect(try Array(folder.bytes("a.wav")[..<4]) == Array("RF64".utf8))
    #expect(throws: SoundFileError.tooLarge(path: "a.aiff")) {
      try SoundFileWriter(
        path: "a.aiff", format: Format(.aiff), rate: rate, expectedFrameCount: 1 << 31)
    }
  }

  private func write(_ samples: [Float], to path: String, _ format: Format) throws {
    let rate = try #require(SampleRate(hertz: 48_000))
    let writer = try SoundFileWriter(path: path, format: format, rate: rate)
    for start in stride(from: 0, to: samples.count, by: 1998) {
      try writer.write(samples.span.extracting(start..<min(start + 1998, samples.count)))
    }
    #expect(writer.frameCount == samples.count / 2)
    try writer.finish()
  }

  /// Two channels: a sine at −6 dB, and the same an octave higher.
  private func sine(frameCount: Int) -> [Float] {
    (0..<frameCount * 2).map { index in
      0.5 * Float(sin(Double(index / 2) * 0.0576 * Double(index % 2 + 1)))
    }
  }
}
