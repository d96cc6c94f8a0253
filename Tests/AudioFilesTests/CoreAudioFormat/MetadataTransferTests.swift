// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Metadata that is copied between WAV, AIFF, CAF and FLAC files, and losses: each cell of the
/// table in Documentation/SoundFiles.md.
struct MetadataTransferTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let names = ["wav", "aiff", "caf", "flac"]

  /// All metadata of four seconds at 48 kHz: eight beats at 120 per minute.
  private var full: SoundFileMetadata {
    var metadata = SoundFileMetadata()
    for tag in SoundFileMetadata.Tag.allCases where tag != .software {
      metadata.tags[tag] = tag == .date ? "2026" : tag == .trackNumber ? "3" : "the \(tag)"
    }
    metadata.tags[.genre] = "Rock"
    metadata.markers = [
      .init(position: SampleTime(frames: 0), name: "start"),
      .init(position: SampleTime(frames: 1234)),
      .init(position: SampleTime(frames: 150_000), name: "drop – ä"),
    ]
    metadata.regions = [.init(100..<2000, name: "verse"), .init(5000..<5001)]
    var instrument = SoundFileMetadata.Instrument()
    (instrument.baseKey, instrument.detune, instrument.gain) = (57, -12, -6)
    (instrument.keys, instrument.velocities) = (40...70, 1...100)
    instrument.loops = [
      .init(100..<3000), .init(200..<400, direction: .alternating, count: 3),
      .init(500..<600, direction: .backward),
    ]
    metadata.instrument = instrument
    metadata.tempo = .init(beatsPerMinute: 120, beatCount: 8, signature: (3, 4), key: 62)
    return metadata
  }

  private func write(_ metadata: SoundFileMetadata, to suffix: String) throws -> SoundFileReader {
    let path = folder.path("source.\(suffix)")
    var options = SoundFileWriter.Options()
    options.metadata = metadata
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: .hertz48000,
      options: options)
    try writer.write([Float](repeating: 0.25, count: 192_000).span)
    try writer.finish()
    return try SoundFileReader(path: path)
  }

  /// The part of all metadata that a container stores.
  private func expected(_ suffix: String) -> SoundFileMetadata {
    var metadata = full
    switch suffix {
    case "wav": metadata.tags[.license] = nil
    case "aiff":
      metadata.tags = metadata.tags.filter {
        [.title, .artist, .comment, .copyright].contains($0.key)
      }
      metadata.regions = []
      metadata.instrument?.loops[1].count = 0
      metadata.instrument?.loops.removeLast()
    case "caf":
      metadata.instrument?.loops[1].count = 0
    default: break
    }
    return metadata
  }

  private func check(_ found: SoundFileMetadata, _ wanted: SoundFileMetadata, _ words: String) {
    var found = found
    found.tags[.software] = nil
    for tag in SoundFileMetadata.Tag.allCases {
      #expect(found.tags[tag] == wanted.tags[tag], "\(words) \(tag)")
    }
    #expect(found.markers == wanted.markers, "\(words)")
    #expect(found.regions == wanted.regions, "\(words)")
    #expect(found.instrument == wanted.instrument, "\(words)")
    #expect(found.tempo == wanted.tempo, "\(words)")
  }

  @Test(arguments: names)
  func `a file stores the metadata that its format supports`(suffix: String) throws {
    let reader = try write(full, to: suffix)
    check(reader.metadata, expected(suffix), suffix)
    #expect(reader.frameCount == 192_000)
    #expect(reader.read(frameCount: 200_000) == [Float](repeating: 0.25, count: 192_000))
  }

  @Test(arguments: names, names)
  func `a conversion copies the metadata that both support, and reports the rest`(
    source: String, target: String
  ) throws {
    let reader = try write(full, to: source)
    let path = folder.path("target.\(target)")
    let conversion = SoundFileConversion(to: try SoundFileFormat(path: path))
    let report = try #require(try conversion.run(from: reader, to: path) { _ in true })
    var wanted = expected(target)
    let given = expected(source)
    wanted.tags = wanted.tags.filter { given.tags[$0.key] != nil }
    if given.regions.isEmpty { wanted.regions = [] }
    let loops = given.instrument?.loops ?? []
    var kept = Array((wanted.instrument?.loops ?? []).prefix(loops.count))
    for index in kept.indices where loops[index].count == 0 { kept[index].count = 0 }
    wanted.instrument?.loops = kept
    let found = try SoundFileReader(path: path).metadata
    check(found, wanted, "\(source) to \(target)")
    // Every loss is reported.
    let isLost =
      found.tags.count < reader.metadata.tags.count
      || found.regions.count < reader.metadata.regions.count
      || found.instrument != reader.metadata.instrument
    #expect(report.losses.isEmpty != isLost, "\(source) to \(target): \(report.losses)")
  }

  @Test func `the losses of each format are listed`() throws {
    let lost = { (suffix: String) throws in
      try full.losses(in: SoundFileFormat(path: "a.\(suffix)"), seconds: 4).map { "\($0)" }
    }
    #expect(try lost("wav") == ["license"])
    #expect(try lost("caf") == ["number of repeats of 1 loop"])
    #expect(try lost("flac") == [])
    #expect(
      try lost("aiff") == [
        "album, track number, genre, date, license", "2 regions", "1 of 3 loops",
        "number of repeats of 1 loop",
      ])
    #expect(
      try lost("ogg") == ["3 markers", "2 regions", "2 of 3 loops", "instrument", "tempo"])
    var fast = full
    fast.tempo?.beatsPerMinute = 121
    #expect(try fast.losses(in: SoundFileFormat(.aiff), seconds: 4).contains(.tempo))
    var texts = SoundFileMetadata()
    texts.strings = ["composer": "Anna", "nominal bit rate": "5"]
    texts.midiFile = [1]
    #expect(
      try texts.losses(in: SoundFileFormat(.flac), seconds: 4) == [
        .strings(["composer"]), .midiFile,
      ])
    #expect(try texts.losses(in: SoundFileFormat(.caf), seconds: 4).isEmpty)
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"), arguments: names)
  func `FFmpeg reads the files, and their titles`(suffix: String) throws {
    let path = try write(full, to: suffix).path
    #expect(try FFmpegWitness.samples(path) == [Float](repeating: 0.25, count: 192_000))
    #expect(try FFmpegWitness.text("format_tags=title:stream_tags=title", of: path) == "the title")
  }

  @Test func `comments of a loop are read from FLAC, and points of a cue sheet`() throws {
    var metadata = SoundFileMetadata()
    metadata.instrument = .init()
    metadata.instrument?.loops = [.init(100..<3000)]
    let path = try write(metadata, to: "flac").path
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // Without the blocks of chunks, only the comments remain.
    let mark = Array("riff".utf8)
    for place in bytes.indices where bytes[place...].starts(with: mark) {
      bytes.replaceSubrange(place..<place + 4, with: Array("none".utf8))
    }
    try folder.write(bytes, to: "comments.flac")
    let reader = try SoundFileReader(path: folder.path("comments.flac"))
    #expect(reader.metadata.instrument?.loops == [.init(100..<3000)])
    // A cue sheet of one track with two points, before the last block.
    let number = { (value: UInt64) in CAFBytes.number(value) }
    let sheet =
      [UInt8](repeating: 0, count: 395) + [1] + number(1000) + [1]
      + [UInt8](repeating: 0, count: 26) + [2] + number(0) + [0, 0, 0, 0] + number(500)
      + [1, 0, 0, 0]
    bytes.insert(contentsOf: [5] + CAFBytes.number(UInt32(sheet.count)).dropFirst() + sheet, at: 42)
    try folder.write(bytes, to: "cues.flac")
    let markers = try SoundFileReader(path: folder.path("cues.flac")).metadata.markers
    #expect(markers.map(\.position.frames) == [1000, 1500])
    #expect(markers.map(\.name) == ["1.0", "1.1"])
  }

  @Test func `a part keeps its markers and regions, and the tempo without its beats`() throws {
    let reader = try write(full, to: "caf")
    var conversion = SoundFileConversion(to: try SoundFileFormat(.wav))
    conversion.frames = 1000..<4000
    let path = folder.path("part.wav")
    _ = try conversion.run(from: reader, to: path) { _ in true }
    let found = try SoundFileReader(path: path).metadata
    #expect(found.markers.map(\.position.frames) == [234])
    #expect(found.regions == [.init(0..<1000, name: "verse")])
    #expect(found.tempo?.beatsPerMinute == 120 && found.tempo?.beatCount == 0)
  }
}
