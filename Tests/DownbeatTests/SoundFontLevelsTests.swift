// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Downbeat
import Foundation
import MusicSequences
import TestSupport
import Testing

/// The loudness of soundfonts, which is measured for the sounds of songs and stored, but is never
/// required.
@Suite(.serialized) struct SoundFontLevelsTests {
  private static let own = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2")
    .path
  private static let others = "/usr/share/sounds/sf2/"
  private static let long: Int64 = 60_000_000_000

  private let scratch: ScratchFolder
  private let cache: LevelCache

  init() throws {
    scratch = try ScratchFolder()
    cache = try #require(LevelCache(environment: ["XDG_CACHE_HOME": scratch.path("cache")]))
  }

  /// Four notes of an organ, and four drum notes.
  private func song(_ program: UInt8 = 19) throws -> MusicSequence {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, program])]
    for key in [60, 64, 67, 71] as [UInt8] {
      events.append((0, [0x90, key, 90]))
      events.append((0, [0x99, 36, 90]))
      events.append((480, [0x80, key, 0]))
      events.append((0, [0x89, 36, 0]))
    }
    return try SMFReader().read(SongBytes.file(events)).sequences[0]
  }

  private func levels(
    _ song: MusicSequence, font: String = own, gain: Float = 1, limit: Int64 = long
  ) throws -> SoundFontLevels {
    var settings = SessionSettings(soundFont: font)
    settings.soundFonts[0].gain = gain
    return try SoundFontLevels(for: [song], settings: settings, cache: cache, limit: limit)
  }

  private func kept() throws -> [URL] {
    let folder = URL(fileURLWithPath: scratch.path("cache/downbeat"))
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
  }

  @Test func `a font that is twice as loud is measured as such`() throws {
    let song = try song()
    let plain = try LoudnessEstimate([song], levels: levels(song)).integrated
    let loud = try LoudnessEstimate([song], levels: levels(song, gain: 2)).integrated
    let difference = try #require(loud) - #require(plain)
    #expect(abs(difference - 20 * log10(2)) < 0.3, "\(difference)")
  }

  @Test func `measured levels are stored for the user only, and used again`() throws {
    let song = try song()
    let first = try levels(song)
    #expect(first.count >= 3)
    for (path, mode) in [("cache/downbeat", 0o700), ("cache", 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(path))
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
    // Without time for measurements, the stored values are used.
    let second = try levels(song, limit: 0)
    #expect(second.count == first.count)
    let one = try LoudnessEstimate([song], levels: first).integrated
    #expect(try LoudnessEstimate([song], levels: second).integrated == one)
    // Another song adds values.
    #expect(try levels(try self.song(73)).count > first.count)
    #expect(try kept().count == 1)
  }

  @Test func `without time or a cache, the level in the catalogue is used`() throws {
    let song = try song()
    let none = try levels(song, limit: 0)
    #expect(none.count == 0)
    #expect(none.otherwise == SoundFontCatalog.loudness(ofFontAt: Self.own))
    let settings = SessionSettings(soundFont: Self.own)
    let measured = try SoundFontLevels(
      for: [song], settings: settings, cache: nil, limit: Self.long)
    #expect(measured.count >= 3)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("cache")))
    #expect(LevelCache(environment: ["XDG_CACHE_HOME": "cache"]) == nil)
    #expect(LevelCache(environment: ["XDG_CACHE_HOME": "cache", "HOME": "/home/a"]) != nil)
  }

  @Test(arguments: [
    "", "nonsense", "downbeat levels 1\n", "APPEND 0 19 60 1\n", "APPEND x\n",
    "APPEND 0 19 61 0 0 0 0 0 0 0 0 0 0 0 0\n", "APPEND 0 19 60 9999 0 0 0 0 0 0 0 0 0 0 0\n",
    "APPEND 128 0 36 0 0 0 0 0 0 0 0 0 0 0 0\n", "APPEND 300 0 36 0 0 0 0 0 0 0 0\n",
  ])
  func `a damaged cache is measured again`(damage: String) throws {
    let song = try song()
    let count = try levels(song).count
    let file = try #require(try kept().first)
    let whole = try String(contentsOf: file, encoding: .utf8)
    let bad =
      damage.hasPrefix("APPEND ") ? whole + damage.dropFirst(7) : damage
    try bad.write(to: file, atomically: false, encoding: .utf8)
    #expect(try levels(song, limit: 0).count == 0)
    #expect(try levels(song).count == count)
    #expect(try String(contentsOf: file, encoding: .utf8) == whole)
  }

  @Test func `a font that has changed is measured again, in the same file`() throws {
    let song = try song()
    let font = scratch.path("font.sf2")
    try FileManager.default.copyItem(atPath: Self.own, toPath: font)
    #expect(try levels(song, font: font).count >= 3)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: font)
    #expect(try levels(song, font: font, limit: 0).count == 0)
    #expect(try levels(song, font: font).count >= 3)
    #expect(try kept().count == 1)
  }

  @Test func `a folder that others can change, or a pipe in it, is not used`() throws {
    let song = try song()
    _ = try levels(song)
    let file = try #require(try kept().first)
    try FileManager.default.removeItem(at: file)
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    #expect(try levels(song).count >= 3)
    try FileManager.default.removeItem(at: file)
    #expect(unsafe chmod(scratch.path("cache/downbeat"), 0o775) == 0)
    #expect(try levels(song).count >= 3)
    #expect(try kept().isEmpty)
  }

  @Test func `a folder that others can read is closed to them, and used`() throws {
    let song = try song()
    let folder = scratch.path("cache/downbeat")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(unsafe chmod(folder, 0o755) == 0)
    #expect(try levels(song).count >= 3)
    #expect(try kept().count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  /// With the catalogue alone, these songs were 8 and 6 dB too loud.
  @Test(arguments: [("loop", "FluidR3_GM.sf2"), ("chorale", "TimGM6mb.sf2")])
  func `songs are near -16 LUFS with the font that plays`(name: String, font: String) throws {
    let font = Self.others + font
    guard FileManager.default.fileExists(atPath: font) else {
      try Test.cancel("no \(font) (make setup-test)")
    }
    let path = ToolRun.packageFolder.appendingPathComponent("Songs/\(name).mid")
    let song = try SMFReader().read([UInt8](Data(contentsOf: path))).sequences[0]
    let settings = SessionSettings(soundFont: font)
    let levels = try SoundFontLevels(
      for: [song], settings: settings, cache: nil, limit: Self.long)
    let gain = try LoudnessEstimate([song], levels: levels).gain(to: -16)
    let meter = try LoudnessMeter(channelCount: 2, rate: settings.rate, findsPeaks: false)
    try SongRenderer(song, settings: settings).render(limiting: false) { samples, _ in
      meter.measure(samples)
      return true
    }
    let loudness = try #require(meter.integrated)
    #expect(abs(loudness + 20 * log10(Double(gain)) + 16) < 2.5)
  }
}
