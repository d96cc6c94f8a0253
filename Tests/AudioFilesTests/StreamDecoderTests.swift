// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Packets of streams that are decoded one by one, compared with a reader of the same bytes.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamDecoderTests {
  /// The decoded sound of some bytes.
  struct Decoded {
    var sounds: [StreamDecoder.Sound] = []
    var layers: [SoundLayer] = []
    var failureCount = 0

    var samples: [Float] { sounds.flatMap(\.samples) }
    /// The successive rates and channels, without repetitions.
    var rates: [Int] {
      sounds.reduce(into: []) { if $0.last != Int($1.rate.hertz) { $0.append(Int($1.rate.hertz)) } }
    }
  }

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// A chord of two seconds, encoded.
  private func sound(_ name: String, _ arguments: String..., hertz: Int = 44_100) throws -> String {
    let path = folder.path(name)
    try FFmpegWitness.run(
      [
        "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=\(hertz):duration=2", "-f", "lavfi", "-i",
        "sine=frequency=523:sample_rate=\(hertz):duration=2", "-filter_complex",
        "[0:a][1:a]amerge=inputs=2",
      ] + arguments + [path])
    return path
  }

  private func decode(
    _ bytes: [UInt8], pieces: Int = 1000, client: ClientFormat = ClientFormat()
  ) throws -> Decoded {
    var stream = SoundStream()
    stream.takesOtherFormats = true
    var decoder: StreamDecoder?
    var decoded = Decoded()
    func take() throws {
      for packet in stream.takePackets() {
        if decoder == nil, let properties = stream.properties {
          decoder = try StreamDecoder(properties, client: client)
        }
        decoded.sounds += try decoder?.decode(packet) ?? []
        if let layer = decoder?.layer, layer != decoded.layers.last { decoded.layers.append(layer) }
      }
    }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      stream.append(bytes[start..<min(bytes.count, start + pieces)])
      try take()
    }
    stream.finish()
    try take()
    decoded.sounds += decoder?.finish() ?? []
    decoded.failureCount = decoder?.failureCount ?? 0
    return decoded
  }

  private func read(_ path: String, _ client: ClientFormat = ClientFormat()) throws -> [Float] {
    let reader = try SoundFileReader(path: path, client: client)
    var samples: [Float] = []
    while case let part = reader.read(frameCount: 5000), !part.isEmpty { samples += part }
    return samples
  }

  @Test(arguments: [1, 333, 100_000])
  func `AAC in pieces of any size decodes to the samples of the file`(pieces: Int) throws {
    let path = try sound("a.aac", "-c:a", "aac", "-b:a", "96k", "-aac_pns", "0")
    let decoded = try decode(folder.bytes("a.aac"), pieces: pieces)
    let expected = try read(path)
    #expect(decoded.samples == expected && expected.count > 170_000 && expected.peak > 0.1)
    #expect(decoded.rates == [44_100] && decoded.failureCount == 0)
    #expect(
      decoded.layers == [
        SoundLayer(codec: .aac, hertz: 44_100, channelCount: 2, framesPerPacket: 1024)
      ])
  }

  @Test func `MP3 without a stated length decodes to the samples of the file`() throws {
    let path = try sound("a.mp3", "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0")
    let decoded = try decode(folder.bytes("a.mp3"))
    let expected = try read(path)
    #expect(decoded.samples == expected && expected.count > 170_000)
    #expect(decoded.layers.map(\.codec) == [.mp3] && decoded.failureCount == 0)
  }

  @Test func `MP3 with stated padding decodes to exactly the frames of sound`() throws {
    let path = try sound("a.mp3", "-c:a", "libmp3lame", "-q:a", "4")
    let decoded = try decode(folder.bytes("a.mp3"))
    #expect(decoded.samples.count == 2 * 88_200)
    // Another decoder reads the file: the same sound at the same position.
    let expected = try read(path)
    try #require(expected.count == decoded.samples.count)
    let largest = zip(expected, decoded.samples).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(largest < 0.001, "\(largest)")
  }

  @Test func `a client's rate and channels are those of a reader`() throws {
    let path = try sound("a.aac", "-c:a", "aac", "-aac_pns", "0")
    let client = ClientFormat(rate: .hertz48000, channelCount: 1, quality: .high)
    let decoded = try decode(folder.bytes("a.aac"), client: client)
    let expected = try read(path, client)
    #expect(decoded.rates == [48_000] && decoded.sounds.allSatisfy { $0.channelCount == 1 })
    try #require(decoded.samples.count == expected.count)
    let largest = zip(expected, decoded.samples).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(largest < 1e-6, "\(largest)")
  }

  @Test(arguments: ["aac", "mp3"])
  func `a stream can change its rate and channels, which is reported`(
    suffix: String
  ) throws {
    let codec = suffix == "aac" ? ["-c:a", "aac"] : ["-c:a", "libmp3lame", "-write_xing", "0"]
    let wide = try read(try sound("wide.\(suffix)", codec[0], codec[1]))
    let narrow = folder.path("narrow.\(suffix)")
    try FFmpegWitness.run(
      ["-i", folder.path("wide.\(suffix)"), "-ar", "22050", "-ac", "1"] + codec + [narrow])
    let bytes = try folder.bytes("wide.\(suffix)") + folder.bytes("narrow.\(suffix)")
    for client in [ClientFormat(), ClientFormat(rate: .hertz48000, channelCount: 2)] {
      let decoded = try decode(bytes, client: client)
      #expect(decoded.layers.map(\.hertz) == [44_100, 22_050])
      #expect(decoded.layers.map(\.channelCount) == [2, 1])
      let frames = decoded.sounds.reduce(into: [Int: Int]()) {
        $0[Int($1.rate.hertz), default: 0] += $1.frameCount
      }
      if client.rate == nil {
        #expect(decoded.rates == [44_100, 22_050])
        #expect(abs((frames[44_100] ?? 0) - wide.count / 2) <= 2304)
        #expect(abs((frames[22_050] ?? 0) - 44_100) <= 2304)
      } else {
        #expect(decoded.rates == [48_000] && abs((frames[48_000] ?? 0) - 192_000) <= 9000)
      }
    }
  }

  @Test func `a damaged packet is silent, and the others keep their positions`() throws {
    let path = try sound("a.aac", "-c:a", "aac", "-aac_pns", "0")
    var bytes = try folder.bytes("a.aac")
    let expected = try read(path)
    var survey = SoundStream()
    survey.append(bytes)
    let broken = survey.takePackets()[40]
    for place in 0..<broken.byteCount - broken.headerByteCount {
      bytes[Int(broken.offset) + broken.headerByteCount + place] = 0xFF
    }
    let decoded = try decode(bytes)
    #expect(decoded.failureCount == 1)
    try #require(decoded.samples.count == expected.count)
    let first = Int(broken.firstFrame) * 2
    #expect(decoded.samples[first..<first + 2048].allSatisfy { $0 == 0 })
    #expect(decoded.samples[..<first] == expected[..<first])
    #expect(decoded.samples[(first + 4096)...] == expected[(first + 4096)...])
  }

  @Test func `after a gap the sound continues at its positions`() throws {
    _ = try sound("a.aac", "-c:a", "aac", "-aac_pns", "0")
    var stream = SoundStream()
    stream.append(try folder.bytes("a.aac"))
    let packets = stream.takePackets()
    var again = SoundStream()
    again.append(try folder.bytes("a.aac").prefix(Int(packets[20].offset)))
    again.noteDiscontinuity()
    again.append(try folder.bytes("a.aac").dropFirst(Int(packets[50].offset)))
    let decoder = try StreamDecoder(try #require(stream.properties))
    var frames = 0
    for packet in again.takePackets() {
      frames += try decoder.decode(packet).reduce(0) { $0 + $1.frameCount }
    }
    #expect(frames == 1024 * (20 + packets.count - 50))
    #expect(decoder.failureCount == 0)
  }
}
