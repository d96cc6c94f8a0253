// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MusicalTime
import TestSupport
import Testing

@Suite struct SoundFileMetadataTests {
  private let rate: SampleRate
  private let folder: ScratchFolder

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
    folder = try ScratchFolder()
  }

  private func roundTrip(
    _ metadata: SoundFileMetadata, _ name: String, layout: ChannelLayout? = nil,
    channelCount: Int = 2
  ) throws -> SoundFileReader {
    var options = SoundFileWriter.Options()
    options.metadata = metadata
    options.layout = layout
    let path = folder.path(name)
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: channelCount, rate: rate,
      options: options)
    try writer.write([Float](repeating: 0.1, count: 4800 * channelCount).span)
    try writer.finish()
    return try SoundFileReader(path: path)
  }

  @Test(arguments: [
    ("a.wav", [SoundFileMetadata.Tag.title, .artist, .comment, .copyright, .date, .genre, .album]),
    ("a.aiff", [.title, .artist, .comment]),
    ("a.caf", [.title, .artist, .comment, .copyright, .date, .genre, .album]),
    ("a.flac", [.title, .artist, .comment, .copyright, .date, .genre, .album, .license]),
    ("a.ogg", [.title, .artist, .comment, .copyright, .date, .genre, .album, .license]),
    ("a.opus", [.title, .artist, .comment, .copyright, .date, .genre, .album, .license]),
    ("a.mp3", [.title, .artist, .comment, .date, .album]),
  ])
  func `tags are preserved if the container supports them`(
    name: String, tags: [SoundFileMetadata.Tag]
  ) throws {
    var metadata = SoundFileMetadata()
    for tag in tags { metadata.tags[tag] = tag == .date ? "2026" : "the \(tag) – ä" }
    if name == "a.mp3" || name == "a.wav" {
      metadata.tags[.genre] = tags.contains(.genre) ? "Rock" : nil
    }
    let back = try roundTrip(metadata, name).metadata
    for tag in tags { #expect(back.tags[tag] == metadata.tags[tag], "\(name) \(tag)") }
  }

  @Test func `markers are preserved in WAV and AIFF, with their names in AIFF`() throws {
    var metadata = SoundFileMetadata()
    metadata.markers = [
      .init(position: SampleTime(frames: 0), name: "start"),
      .init(position: SampleTime(frames: 1234), name: "drop"),
    ]
    for name in ["a.wav", "a.aiff"] {
      let back = try roundTrip(metadata, name).metadata.markers
      #expect(back.map(\.position) == metadata.markers.map(\.position), "\(name)")
    }
    #expect(try roundTrip(metadata, "b.aiff").metadata.markers == metadata.markers)
  }

  @Test func `an instrument and its loops are preserved in WAV`() throws {
    var instrument = SoundFileMetadata.Instrument()
    instrument.baseKey = 57
    instrument.detune = 12
    instrument.loops = [.init(100..<3000), .init(200..<400, direction: .alternating, count: 3)]
    var metadata = SoundFileMetadata()
    metadata.instrument = instrument
    let back = try #require(try roundTrip(metadata, "a.wav").metadata.instrument)
    #expect(back.baseKey == 57)
    #expect(back.loops == instrument.loops)
  }

  @Test func `a broadcast extension is preserved, with a 64-bit time reference`() throws {
    var broadcast = SoundFileMetadata.Broadcast()
    broadcast.description = "Take 4"
    broadcast.originator = "Downbeat"
    broadcast.originatorReference = "DE0001"
    broadcast.date = "2026-11-21"
    broadcast.time = "18:30:00"
    broadcast.timeReference = 48_000 * 3600 * 30
    broadcast.codingHistory = "A=PCM,F=48000,W=16,M=stereo\r\n"
    var metadata = SoundFileMetadata()
    metadata.broadcast = broadcast
    let back = try #require(try roundTrip(metadata, "a.wav").metadata.broadcast)
    #expect(back.codingHistory.hasPrefix(broadcast.codingHistory.dropLast(2)))
    broadcast.codingHistory = back.codingHistory
    #expect(back == broadcast)
  }

  // Run it under the address sanitizer: such a tag causes libsndfile to read after the end of its
  // memory.
  @Test(
    arguments: [
      0, 0x1_0000, 100 << 16 | 1, 101 << 16 | 2, 147 << 16 | 8, 0xFFFF_FFFF,
    ] as [UInt32])
  func `a layout tag for another number of channels is ignored`(tag: UInt32) throws {
    try folder.write(Self.coreAudioFile(channelCount: 6, layoutTag: tag), to: "a.caf")
    let reader = try SoundFileReader(path: folder.path("a.caf"))
    #expect(reader.layout == .usual(channelCount: 6))
    #expect(reader.frameCount == 2)
  }

  /// Two silent frames of 16-bit samples.
  private static func coreAudioFile(channelCount: UInt32, layoutTag: UInt32) -> [UInt8] {
    func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      (1...Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (Value.bitWidth - 8 * $0)) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(UInt64(content.count)) + content
    }
    let format =
      big(Double(48_000).bitPattern) + Array("lpcm".utf8) + big(UInt32(0))
      + big(channelCount * 2) + big(UInt32(1)) + big(channelCount) + big(UInt32(16))
    let sound = [UInt8](repeating: 0, count: Int(channelCount) * 2 * 2)
    return Array("caff".utf8) + big(UInt16(1)) + big(UInt16(0)) + chunk("desc", format)
      + chunk("chan", big(layoutTag) + big(UInt32(0)) + big(UInt32(0)))
      + chunk("data", big(UInt32(0)) + sound)
  }

  @Test func `the layout of channels is preserved`() throws {
    let layout = ChannelLayout.usual(channelCount: 6)
    for name in ["a.wav", "a.caf"] {
      var metadata = SoundFileMetadata()
      metadata.tags[.title] = "x"
      let back = try roundTrip(metadata, name, layout: layout, channelCount: 6).layout
      #expect(back.name == "5.1", "\(name)")
    }
  }

  @Test func `the tempo of a WAV loop is read from its acid chunk`() throws {
    var options = SoundFileWriter.Options()
    options.expectedFrameCount = 48_000
    let path = folder.path("plain.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav), channelCount: 1, rate: rate, options: options)
    try writer.write([Float](repeating: 0, count: 48_000).span)
    try writer.finish()
    // Type, root key 60, two unknown fields, 8 beats, 4/4, 120 BPM.
    var bytes = try folder.bytes("plain.wav")
    let chunk: [UInt8] =
      Array("acid".utf8) + [24, 0, 0, 0] + [2, 0, 0, 0, 60, 0, 0, 0x80, 0, 0, 0, 0]
      + [8, 0, 0, 0] + [4, 0, 4, 0] + [0, 0, 0xF0, 0x42]
    bytes.insert(contentsOf: chunk, at: 36)
    try folder.write(bytes, to: "acid.wav")
    let tempo = try #require(try SoundFileReader(path: folder.path("acid.wav")).metadata.tempo)
    #expect(tempo.beatsPerMinute == 120)
    #expect(tempo.beatCount == 8)
    #expect(tempo.signature == (4, 4))
  }

  @Test func `positions in frames are scaled with the rate, to the nearest`() throws {
    var metadata = SoundFileMetadata()
    metadata.markers = [
      .init(position: SampleTime(frames: 44_100)), .init(position: .init(frames: 1)),
    ]
    metadata.instrument = .init()
    metadata.instrument?.loops = [.init(0..<441)]
    metadata.broadcast = .init()
    metadata.broadcast?.timeReference = 44_100 * 100_000
    let source = try #require(SampleRate(hertz: 44_100))
    let scaled = metadata.scaled(from: source, to: rate)
    #expect(scaled.markers.map(\.position.frames) == [48_000, 1])
    #expect(scaled.instrument?.loops.first?.frames == 0..<480)
    #expect(scaled.broadcast?.timeReference == 4_800_000_000)
  }
}
