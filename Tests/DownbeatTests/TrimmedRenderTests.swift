// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import MusicSequences
import MusicalTime
import SoundFontFiles
import SoundFontInstruments
import TestSupport
import Testing

/// Songs with a trimmed font or an embedded bank must sound exactly like songs with the whole font.
///
/// The tests use songs of the project with its font. With `DOWNBEAT_LONG=1`, they use twenty songs
/// of the corpus with three fonts.
@Suite struct TrimmedRenderTests {
  /// A song and a font.
  struct Pair: CustomTestStringConvertible, Sendable {
    let song: URL
    let font: String

    var testDescription: String {
      "\(song.lastPathComponent) with \(SoundFontDiscovery.name(of: font))"
    }
  }

  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let own = ToolRun.packageFolder.appendingPathComponent(
    "Soundfonts/Downbeat.sf2"
  ).path
  private static let installed = ["TimGM6mb", "FluidR3_GM"].map {
    "/usr/share/sounds/sf2/\($0).sf2"
  }

  /// The folders of the corpus, and the number of songs from each.
  private static let folders = [
    "jazz-soft__test-midi-files": 6, "freedoom__freedoom": 8, "cuthbertLab__music21": 3,
    "mzealey__openhymnal": 2, "bytedance__GiantMIDI-Piano": 1,
  ]

  private static let songs: [URL] = ["rag", "groove", "patterns", "crossing"].map {
    ToolRun.packageFolder.appendingPathComponent("Songs/\($0).mid")
  }

  private static func pairs() throws -> [Pair] {
    let fonts = installed.filter { FileManager.default.fileExists(atPath: $0) }
    guard isLong, CorpusFolder.isThere else { return songs.map { Pair(song: $0, font: own) } }
    let corpus = try folders.sorted { $0.key < $1.key }.flatMap { folder, count in
      try spread(CorpusFolder.midiFiles(under: folder), count)
    }
    return corpus.flatMap { song in ([own] + fonts).map { Pair(song: song, font: $0) } }
  }

  /// Returns some short songs of a folder, as far apart as possible.
  private static func spread(_ songs: [URL], _ count: Int) throws -> [URL] {
    let short = try songs.filter { song in
      let size = try song.resourceValues(forKeys: [.fileSizeKey]).fileSize
      return try (1_000...60_000).contains(#require(size))
    }
    return (0..<min(count, short.count)).map { short[$0 * short.count / count] }
  }

  /// Returns the first half minute of a song.
  private func samples(_ sequence: MusicSequence, _ settings: SessionSettings) throws -> [Float] {
    let renderer = try SongRenderer(sequence, settings: settings)
    var samples: [Float] = []
    try renderer.render(upTo: SampleTime(frames: 30 * 44_100), limiting: false) { part, _ in
      for index in part.indices { samples.append(part[index]) }
      return true
    }
    return samples
  }

  private func settings(_ font: String) throws -> SessionSettings {
    SessionSettings(soundFont: font, rate: try #require(SampleRate(hertz: 44_100)))
  }

  private func write(_ document: SoundFontDocument, to path: String) throws {
    var bytes: [UInt8] = []
    try SoundFontWriter(document).write { bytes += $0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test(arguments: try pairs())
  func `a song sounds the same with a trimmed font and with a bank`(pair: Pair) throws {
    let scratch = try ScratchFolder()
    let file = try SMFReader().read([UInt8](try Data(contentsOf: pair.song)))
    let font = try SoundFont(path: pair.font)
    var use = try FontUse(of: [SoundFontLayer(font)])
    try use.add(file.sequences)
    try write(use.trimmed(layer: 0), to: scratch.path("trimmed.sf2"))
    if let bank = try use.bank() { try write(bank, to: scratch.path("bank.sf2")) }
    for sequence in file.sequences where sequence.hasNotes {
      let whole = try samples(sequence, settings(pair.font))
      #expect(whole.contains { $0 != 0 })
      let trimmed = try samples(sequence, settings(scratch.path("trimmed.sf2")))
      #expect(trimmed == whole, "trimmed")
      // The bank is above another font, like a bank in a song's file.
      var settings = try settings(scratch.path("bank.sf2"))
      settings.soundFonts.append(SessionSettings.FontChoice(path: Self.own))
      #expect(try samples(sequence, settings) == whole, "bank")
    }
  }

  @Test func `a trimmed font is much smaller, and without faults`() throws {
    let file = try SMFReader().read([UInt8](try Data(contentsOf: Self.songs[0])))
    let font = try SoundFont(path: Self.own)
    var use = try FontUse(of: [SoundFontLayer(font)])
    try use.add(file.sequences)
    let bytes = try SoundFontWriter.bytes(of: use.trimmed(layer: 0))
    #expect(bytes.count * 2 < font.byteCount)
    #expect(try SoundFontTables(bytes).findings(in: bytes).isEmpty)
  }

  @Test func `trimming a trimmed font again changes nothing`() throws {
    let file = try SMFReader().read([UInt8](try Data(contentsOf: Self.songs[1])))
    func trimmed(_ font: SoundFont) throws -> FontBytes {
      var use = try FontUse(of: [SoundFontLayer(font)])
      try use.add(file.sequences)
      return try SoundFontWriter.bytes(of: use.trimmed(layer: 0))
    }
    let once = try trimmed(SoundFont(path: Self.own))
    let twice = try trimmed(SoundFont(path: "once", bytes: once))
    #expect(try once.bytes(0..<once.count) == twice.bytes(0..<twice.count))
  }

  @Test func `several fonts become one bank that sounds the same`() throws {
    let scratch = try ScratchFolder()
    let tiny = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    let song = try SMFReader().read(
      SongBytes.file([
        (0, [0xB0, 0, 5]), (0, [0xC0, 1]), (0, [0x90, 60, 100]), (0, [0xC1, 24]),
        (0, [0x91, 64, 90]), (0, [0x99, 38, 100]), (480, [0x80, 60, 0]), (0, [0x81, 64, 0]),
        (0, [0x89, 38, 0]),
      ]))
    var settings = try settings(Self.own)
    settings.soundFonts.insert(.init(path: tiny, bankOffset: 5), at: 0)
    let layers = [
      SoundFontLayer(try SoundFont(path: tiny), bankOffset: 5),
      SoundFontLayer(try SoundFont(path: Self.own)),
    ]
    var use = try FontUse(of: layers)
    try use.add(song.sequences)
    let bank = try #require(try use.bank())
    #expect(Set(use.presets.map(\.layer)) == [0, 1])
    try write(bank, to: scratch.path("bank.sf2"))
    let whole = try samples(song.sequences[0], settings)
    #expect(whole.contains { $0 != 0 })
    #expect(try samples(song.sequences[0], self.settings(scratch.path("bank.sf2"))) == whole)
  }
}
