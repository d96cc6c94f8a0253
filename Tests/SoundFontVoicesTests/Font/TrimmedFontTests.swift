// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Trimmed fonts, which play their notes exactly as the whole font does.
@Suite struct TrimmedFontTests {
  private typealias Note = StruckNote

  private func trimmed(_ bytes: FontBytes, _ notes: Set<Note>) throws -> SoundFontDocument {
    var played = PlayedNotes()
    for note in notes {
      played.insert(
        bank: note.bank, program: note.program, key: note.key, velocity: note.velocity)
    }
    return try SoundFontDocument(bytes).trimmed(to: played)
  }

  /// Trims a font to notes and compares each; returns the trimmed font.
  @discardableResult
  private func compare(
    _ bytes: FontBytes, _ notes: Set<Note>, _ comment: Comment
  ) throws -> SoundFontDocument {
    let whole = try PatchBank(bytes)
    let small = try trimmed(bytes, notes)
    let sounding = notes.filter { !whole.sound(of: $0).isEmpty }
    // The requested presets are kept, even if they are silent.
    let asked = Set(notes.map { $0.bank << 7 | $0.program })
    let there = asked.filter { whole.patch(bank: $0 >> 7, program: $0 & 127) >= 0 }
    #expect(Set(small.presets.map { Int($0.bank) << 7 | Int($0.program) }) == there, comment)
    guard !small.presets.isEmpty else { return small }
    let part = try PatchBank(SoundFontWriter.bytes(of: small))
    for note in notes {
      #expect(part.sound(of: note) == whole.sound(of: note), "\(comment): \(note)")
    }
    // Only the samples that a note needs are kept.
    var used: Set<Int32> = []
    for note in sounding {
      for region in part.list(part.patch(bank: note.bank, program: note.program))
      where region.isStruck(Int(note.key), Int(note.velocity)) {
        used.insert(region.start)
      }
    }
    #expect(used.count == small.samples.count, comment)
    return small
  }

  /// A random font; half of them without silence after samples, some with lower bytes.
  private func font(_ seed: UInt64, _ random: inout SplitMix) -> FontBuilder {
    var font = FontBuilder(random: &random)
    if seed % 3 == 0 {
      font.minorVersion = 4
      font.lowBytes = (0..<1046).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    guard seed % 2 == 0 else { return font }
    font.data = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
    font.lowBytes = Array(font.lowBytes.prefix(1000))
    return font
  }

  @Test func `random fonts sound as before`() throws {
    var sounding = 0
    for seed in UInt64(0)..<300 {
      var random = SplitMix(seed: seed)
      let font = font(seed, &random)
      let notes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Note(
          bank: 0, program: Int.random(in: 0...2, using: &random),
          key: UInt8.random(in: 0...127, using: &random),
          velocity: UInt8.random(in: 1...127, using: &random))
      }
      let small = try compare(FontBytes(font.bytes), Set(notes), "seed \(seed)")
      if !small.samples.isEmpty { sounding += 1 }
    }
    #expect(sounding > 100, "\(sounding)")
  }

  @Test func `a preset that is silent for its notes is kept, so that no other replaces it`()
    throws
  {
    var font = FontBuilder()
    font.presets = [
      FontBuilder.Preset(zones: [FontBuilder.Zone([(41, 0)])]),
      FontBuilder.Preset(
        bank: 8, zones: [FontBuilder.Zone([(43, FontBuilder.Zone.range(0...20)), (41, 0)])]),
      FontBuilder.Preset(bank: 9, zones: [FontBuilder.Zone([(41, 0)])]),
    ]
    let notes = [0, 8].map { Note(bank: $0, program: 0, key: 60, velocity: 100) }
    let small = try compare(FontBytes(font.bytes), Set(notes), "silent")
    #expect(small.presets.map(\.bank) == [0, 8])
    #expect(small.presets.map(\.zones.count) == [1, 0])
    var played = PlayedNotes()
    played.insertPreset(bank: 9, program: 0)
    played.insertPreset(bank: 10, program: 0)
    let silent = try SoundFontDocument(FontBytes(font.bytes)).trimmed(to: played)
    #expect(silent.presets.map(\.bank) == [9] && silent.samples.isEmpty)
    let bank = try PatchBank(SoundFontWriter.bytes(of: silent))
    #expect(bank.patch(bank: 9, program: 0) == 0 && bank.list().isEmpty)
  }

  private static let fonts = [
    "/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2",
    ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path,
  ].filter { FileManager.default.fileExists(atPath: $0) }

  @Test(arguments: fonts) func `whole fonts sound as before`(path: String) throws {
    var random = SplitMix(seed: 26)
    let bytes = try FontFile.bytes(of: path)
    let presets = try SoundFontTables(bytes).presets
    for round in 0..<3 {
      var notes: Set<Note> = []
      for preset in presets.shuffled(using: &random).prefix(8) {
        for _ in 0..<12 {
          notes.insert(
            Note(
              bank: preset.bank, program: preset.program,
              key: UInt8.random(in: 20...110, using: &random),
              velocity: UInt8.random(in: 1...127, using: &random)))
        }
      }
      let small = try compare(bytes, notes, "round \(round)")
      #expect(try SoundFontWriter(small).byteCount < bytes.count / 2)
    }
  }

  @Test(arguments: fonts) func `a melody is the same, sample by sample`(path: String) throws {
    let bytes = try FontFile.bytes(of: path)
    var cues = [Duet.Cue(0, 0xC0, 0), Duet.Cue(0, 0xC1, 48)]
    var notes: Set<Note> = []
    for (number, key) in ([48, 55, 60, 64, 67, 72, 96] as [UInt8]).enumerated() {
      for (channel, program) in [(UInt8(0), 0), (1, 48), (9, 0)] {
        let velocity = UInt8(20 + 15 * number)
        cues.append(Duet.Cue(20 * number, 0x90 | channel, key, velocity))
        cues.append(Duet.Cue(20 * number + 60, 0x80 | channel, key))
        notes.insert(
          Note(bank: channel == 9 ? 128 : 0, program: program, key: key, velocity: velocity))
      }
    }
    cues.sort { $0.quantum < $1.quantum }
    let small = try SoundFontWriter.bytes(of: trimmed(bytes, notes))
    let sounds = try [bytes, small].map { font in
      try Duet(path, bank: PatchBank(font)).ours(cues, quanta: 400)
    }
    #expect(sounds[0] == sounds[1])
    #expect(sounds[0].joined().contains { abs($0) > 0.001 })
  }

  @Test func `compressed samples are copied unchanged`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("sine.ogg")
    let rate = try #require(SampleRate(hertz: 44_100))
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 1, rate: rate)
    let samples = (0..<22_050).map { Float(sin(Double($0) * .pi / 50)) / 2 }
    try writer.write(samples.span)
    try writer.finish()
    let stream = [UInt8](try FileContent.data(path))
    // Three streams; a single one would be written unchanged.
    var font = FontBuilder(
      samples: (0..<3).map { number in
        let start = 3 + number * (stream.count + 1)
        return FontBuilder.Sample(
          place: start..<start + stream.count, loop: (100, 20_100), kind: 0x11)
      })
    font.data = [1, 2, 3] + (0..<3).flatMap { _ in stream + [9] }
    font.instruments = (0..<3).map { [FontBuilder.Zone([(53, $0)])] }
    font.presets = (0..<3).map { number in
      FontBuilder.Preset(program: number, zones: [FontBuilder.Zone([(41, number)])])
    }
    let notes = [0, 2].map { Note(bank: 0, program: $0, key: 60, velocity: 100) }
    let small = try compare(FontBytes(font.bytes), Set(notes), "SF3")
    #expect(small.samples.count == 2)
    let tables = try SoundFontTables(SoundFontWriter.bytes(of: small))
    #expect(tables.sampleData.count == 2 * stream.count)
    #expect(tables.samples.map(\.place.count) == [stream.count, stream.count])
  }

  @Test func `trimming a font of 148 MB takes at most a second`() throws {
    let path = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
    guard FileManager.default.fileExists(atPath: path) else {
      try Test.cancel("no \(path) (make setup-test)")
    }
    var played = PlayedNotes()
    for program in stride(from: 0, to: 128, by: 10) {
      for key in UInt8(36)...84 {
        played.insert(bank: 0, program: program, key: key, velocity: 100)
      }
    }
    played.insertAll(bank: 128, program: 0)
    let clock = ContinuousClock()
    var size = 0
    let time = try clock.measure {
      let small = try SoundFontDocument(FontFile.bytes(of: path)).trimmed(to: played)
      try SoundFontWriter(small).write { size += $0.count }
    }
    #expect(size > 1 << 20 && size < 100 << 20)
    #expect(time < .seconds(1))
  }
}
