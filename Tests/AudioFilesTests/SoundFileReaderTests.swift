// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct SoundFileReaderTests {
  private let rate: SampleRate
  private let folder: ScratchFolder

  init() throws {
    rate = try #require(SampleRate(hertz: 44_100))
    folder = try ScratchFolder()
  }

  /// Every container and encoding of integers, and the bits of each.
  static let integers: [(SoundFileFormat.Container, SoundFileFormat.Encoding)] =
    SoundFileFormat.Container.allCases.flatMap { container in
      container.encodings.filter { $0.integerBits != nil }.map { (container, $0) }
    }

  @Test(arguments: integers)
  func `integers are read back bit for bit`(
    container: SoundFileFormat.Container, encoding: SoundFileFormat.Encoding
  ) throws {
    let bits = try #require(encoding.integerBits)
    let samples = noise(9000).map { ($0 >> Int32(32 - bits)) << Int32(32 - bits) }
    let path = try write(samples, SoundFileFormat(container, encoding))
    let back = try SoundFileReader(path: path).read(Int32.self, frameCount: 10_000)
    #expect(back == samples)
    if bits <= 16 {
      let short = try SoundFileReader(path: path).read(Int16.self, frameCount: 10_000)
      #expect(short == samples.map { Int16(truncatingIfNeeded: $0 >> 16) })
    }
  }

  @Test(arguments: [SoundFileFormat.Container.wav, .aiff, .caf, .au, .w64, .rf64])
  func `doubles are read back bit for bit`(container: SoundFileFormat.Container) throws {
    let samples = noise(2000).map { Double($0) / 3e9 }
    let path = try write(samples, SoundFileFormat(container, .float64))
    #expect(try SoundFileReader(path: path).read(Double.self, frameCount: 2000) == samples)
    let single = noise(2000).map { Float($0) / 3e9 }
    let second = try write(single, SoundFileFormat(container, .float32))
    #expect(try SoundFileReader(path: second).read(Float.self, frameCount: 2000) == single)
  }

  @Test func `fewer bits are rounded to the nearest, not truncated`() throws {
    let samples: [Int32] = [0x0000_7F00, 0x0000_8100, -0x0000_8100, 0x7FFF_FF00]
    let path = try write(samples, SoundFileFormat(.wav, .integer24))
    let back = try SoundFileReader(path: path).read(Int16.self, frameCount: 10)
    #expect(back == [0, 1, -1, 32_767])
  }

  @Test func `a file has a format and a name`() throws {
    let path = try write(noise(1000), SoundFileFormat(.flac, .integer24))
    let reader = try SoundFileReader(path: path)
    #expect(reader.format == (try SoundFileFormat(.flac, .integer24)))
    #expect(reader.formatName == "FLAC (Free Lossless Audio Codec), Signed 24 bit PCM")
    #expect(reader.rate == rate)
    #expect(reader.frameCount == 500)
    #expect(reader.layout.name == "stereo")
  }

  @Test func `reading can start at any frame`() throws {
    let samples = noise(8000).map { ($0 >> 16) << 16 }
    for container in [SoundFileFormat.Container.wav, .flac, .aiff, .caf] {
      let path = try write(samples, SoundFileFormat(container, .integer16))
      let reader = try SoundFileReader(path: path)
      #expect(reader.locate(to: SampleTime(frames: 1234)))
      let back = reader.read(Int16.self, frameCount: 10)
      #expect(back == samples[2468..<2488].map { Int16(truncatingIfNeeded: $0 >> 16) })
      #expect(!reader.locate(to: SampleTime(frames: -1)))
      #expect(!reader.locate(to: SampleTime(frames: 5000)))
    }
  }

  @Test(arguments: [8000, 22_050, 48_000, 96_000])
  func `another rate has the exact length, the same pitch and the same level`(hertz: Int) throws {
    let count = 44_100
    let tone = (0..<count).map { 0.5 * sin(Double($0) * 2 * .pi * 1000 / 44_100) }
    let path = try write(tone, SoundFileFormat(.wav, .float64), channelCount: 1)
    let target = try #require(SampleRate(hertz: hertz))
    let reader = try SoundFileReader(path: path, client: ClientFormat(rate: target))
    #expect(reader.clientFrameCount == hertz)
    let back = reader.read(Double.self, frameCount: 1 << 20)
    #expect(back.count == hertz)
    // Without the edges, at which the filter settles.
    let error = (hertz / 4..<hertz * 3 / 4).map {
      abs(back[$0] - 0.5 * sin(Double($0) * 2 * .pi * 1000 / Double(hertz)))
    }
    #expect(try #require(error.max()) < 1e-7)
  }

  @Test func `mono becomes two equal channels, stereo becomes the mean`() throws {
    let mono = try write([0.5, -0.25], SoundFileFormat(.wav, .float64), channelCount: 1)
    let client = ClientFormat(channelCount: 2)
    let wide = try SoundFileReader(path: mono, client: client)
    #expect(wide.read(Double.self, frameCount: 9) == [0.5, 0.5, -0.25, -0.25])
    let stereo = try write([0.5, 0.25, 1, 0], SoundFileFormat(.wav, .float64))
    let narrow = try SoundFileReader(path: stereo, client: ClientFormat(channelCount: 1))
    #expect(narrow.read(Double.self, frameCount: 9) == [0.375, 0.5])
  }

  @Test func `5.1 becomes stereo by the gains of BS.775, within full scale`() throws {
    var frame = [Double](repeating: 0, count: 36)
    for channel in 0..<6 { frame[channel * 6 + channel] = 1 }
    let path = try write(frame, SoundFileFormat(.wav, .float64), channelCount: 6)
    let reader = try SoundFileReader(path: path, client: ClientFormat(channelCount: 2))
    let soft = 0.5.squareRoot()
    let scale = 1 / (1 + 2 * soft)
    let expected: [Double] = [1, 0, 0, 1, soft, soft, 0, 0, soft, 0, 0, soft].map { $0 * scale }
    let back = reader.read(Double.self, frameCount: 6)
    #expect(zip(back, expected).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func `a pipe is read, and written, in any format`() throws {
    for container in [SoundFileFormat.Container.wav, .flac, .aiff] {
      let samples = noise(6000).map { ($0 >> 16) << 16 }
      let path = try write(samples, SoundFileFormat(container, .integer16))
      let bytes = try folder.bytes(String(path.dropFirst(folder.path.count + 1)))
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      // A pipe has a capacity of 64 KiB, which is more than these files.
      #expect(unsafe Glibc.write(ends[1], bytes, bytes.count) == bytes.count)
      close(ends[1])
      let reader = try SoundFileReader(descriptor: ends[0], name: "-")
      #expect(reader.read(Int32.self, frameCount: 9000) == samples)
      close(ends[0])
      try #require(unsafe pipe(&ends) == 0)
      let writer = try SoundFileWriter(
        path: "-", descriptor: ends[1], format: SoundFileFormat(container, .integer16),
        channelCount: 2, rate: rate, options: SoundFileWriter.Options())
      try writer.write(samples.span)
      try writer.finish()
      close(ends[1])
      var back = [UInt8](repeating: 0, count: bytes.count + 1)
      #expect(unsafe Glibc.read(ends[0], &back, back.count) == bytes.count)
      #expect(Array(back.dropLast()) == bytes)
      close(ends[0])
    }
  }

  @Test func `dither is the same every time, and its error does not follow the sound`() throws {
    // A constant of a third of a step is lost without dither; with it the mean is preserved.
    let third = [Double](repeating: 1 / 32_768.0 / 3, count: 100_000)
    var options = SoundFileWriter.Options()
    var means: [Double] = []
    for dither in [Dither.none, .triangular, .triangular] {
      options.dither = dither
      let path = try write(third, SoundFileFormat(.wav, .integer16), options: options)
      let back = try SoundFileReader(path: path).read(Int16.self, frameCount: 50_000)
      means.append(back.reduce(0) { $0 + Double($1) } / Double(back.count))
      #expect(back.allSatisfy { abs($0) <= 2 })
    }
    #expect(means[0] == 0)
    #expect(abs(means[1] - 1 / 3.0) < 0.01)
    #expect(means[1] == means[2])
  }

  private func write<Sample: AudioSample>(
    _ samples: [Sample], _ format: SoundFileFormat, channelCount: Int = 2,
    options: SoundFileWriter.Options = SoundFileWriter.Options()
  ) throws -> String {
    let name = try "\(folder.names().count).\(format.container.suffixes[0])"
    let writer = try SoundFileWriter(
      path: folder.path(name), format: format, channelCount: channelCount, rate: rate,
      options: options)
    try writer.write(samples.span)
    try writer.finish()
    return folder.path(name)
  }

  /// 32-bit integers without a pattern.
  private func noise(_ count: Int) -> [Int32] {
    var state: UInt32 = 12_345
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int32(bitPattern: state)
    }
  }
}
