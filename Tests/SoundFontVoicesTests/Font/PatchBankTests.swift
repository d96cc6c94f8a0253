// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

@Suite struct PatchBankTests {
  private typealias Zone = FontBuilder.Zone
  private typealias Preset = FontBuilder.Preset
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// A font whose presets differ in their fine tuning.
  private func font(_ name: String, _ presets: [(bank: Int, program: Int, tune: Int)]) throws
    -> String
  {
    var font = FontBuilder()
    font.presets = presets.map { preset in
      Preset(
        bank: preset.bank, program: preset.program, zones: [Zone([(52, preset.tune), (41, 0)])])
    }
    return try scratch.write(name, font.bytes)
  }

  /// The fine tuning of the preset with a number; nil if not found.
  private func found(_ bank: PatchBank, _ number: Int, _ program: Int) -> Float? {
    let patch = bank.patch(bank: number, program: program)
    guard patch >= 0 else { return nil }
    #expect(bank.preset(of: patch) == (number, program))
    return bank.list(patch)[0].generators[52]
  }

  @Test func `presets are found by bank and program`() throws {
    let numbers = [(0, 0, 1), (0, 5, 2), (128, 0, 3), (7, 5, 4), (0, 127, 5), (0, 128, 6)]
    let bank = try PatchBank(fontAt: font("font.sf2", numbers))
    for (number, program, tune) in numbers where program < 128 {
      #expect(found(bank, number, program) == Float(tune))
    }
    #expect(bank.patchCount == 5)
    for (number, program) in [(0, 1), (1, 0), (128, 5), (-1, 0), (0, 128), (9, 9)] {
      #expect(found(bank, number, program) == nil)
    }
  }

  @Test func `of two presets with one number the last is found, as in FluidSynth`() throws {
    let bank = try PatchBank(
      fontAt: font("font.sf2", [(0, 0, 1), (0, 5, 2), (0, 5, 3), (1, 0, 4)]))
    #expect(found(bank, 0, 5) == 3)
    #expect(bank.patchCount == 3)
  }

  @Test func `of two fonts with a preset the first plays it`() throws {
    let first = try PatchBank.Layer(path: font("a.sf2", [(0, 0, 1), (0, 5, 2)]))
    let second = try PatchBank.Layer(path: font("b.sf2", [(0, 0, 11), (0, 6, 13)]), bankOffset: 0)
    let third = try PatchBank.Layer(path: font("c.sf2", [(0, 0, 21)]), bankOffset: 3)
    let bank = try PatchBank([first, second, third], programs: nil)
    #expect(found(bank, 0, 0) == 1)
    #expect(found(bank, 0, 5) == 2)
    #expect(found(bank, 0, 6) == 13)
    #expect(found(bank, 3, 0) == 21)
    for patch in 0..<bank.patchCount { bank.load(patch) }
    let starts = (0..<bank.patchCount).flatMap { bank.list($0).map(\.start) }
    #expect(Set(starts).count == 3)
  }

  @Test func `a font with a bank offset keeps its drum kits, and gains none`() throws {
    let font = try font("a.sf2", [(0, 0, 1), (120, 0, 2), (127, 5, 3), (128, 0, 4), (128, 5, 5)])
    let bank = try PatchBank([.init(path: font, bankOffset: 8)], programs: nil)
    #expect(found(bank, 8, 0) == 1)
    #expect(found(bank, 128, 0) == 4)
    #expect(found(bank, 128, 5) == 5)
    #expect(found(bank, 135, 5) == 3)
    #expect(found(bank, 136, 0) == nil)
    #expect(bank.patchCount == 4)
  }

  @Test func `only the requested programs and the first one are read`() throws {
    let path = try font("font.sf2", [(0, 0, 1), (0, 5, 2), (0, 6, 3), (8, 5, 4), (128, 0, 5)])
    let bank = try PatchBank(fontAt: path, programs: [5, 9])
    #expect((0..<bank.patchCount).map { bank.preset(of: $0).program } == [0, 5, 5, 0])
    #expect(found(bank, 0, 6) == nil)
    let other = try font("other.sf2", [(0, 7, 1), (0, 8, 2)])
    #expect(try PatchBank(fontAt: other, programs: [5, 9]).patchCount == 2)
  }

  @Test func `regions with the same modulators share them`() throws {
    let path = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let bank = try PatchBank(fontAt: path)
    let lists = (0..<bank.patchCount).flatMap { bank.list($0) }.map {
      unsafe Int(bitPattern: $0.modulators)
    }
    #expect(lists.count > 1000)
    #expect(Set(lists).count < lists.count / 10)
  }

  @Test func `a font with too many regions is refused`() throws {
    var font = FontBuilder(
      preset: Array(repeating: Zone([(41, 0)]), count: 1100),
      instrument: Array(repeating: Zone([(53, 0)]), count: 1000))
    let path = try scratch.write("font.sf2", font.bytes)
    #expect(throws: SoundFontVoicesError.tooManyRegions(path: path)) {
      try PatchBank(fontAt: path)
    }
    // Zone pairs that no note can play do not create regions.
    font.instruments = [Array(repeating: Zone([(43, Zone.range(1...2)), (53, 0)]), count: 1000)]
    font.presets[0].zones = Array(
      repeating: Zone([(43, Zone.range(3...4)), (41, 0)]), count: 1100)
    let silent = try PatchBank(fontAt: scratch.write("silent.sf2", font.bytes))
    #expect(silent.patchCount == 1)
    #expect(silent.list().isEmpty)
  }

  @Test func `a damaged font is refused, or its regions lie within the samples`() throws {
    var random = SplitMix(seed: 71)
    let whole = FontBuilder(
      instrument: [
        Zone([(9, 5)], [[0x502, 48, 5, 0, 0]]), Zone([(43, 0x4000), (53, 0)]), Zone([(53, 1)]),
      ],
      samples: [
        .init(place: 0..<900, loop: (200, 800)), .init(place: 100..<1000, loop: (200, 800)),
      ]
    ).bytes
    var made = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 2092..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let layer = try layer(bytes) else { continue }
      let bank = try PatchBank([layer], programs: nil)
      for patch in 0..<bank.patchCount {
        bank.load(patch)
        for region in bank.list(patch) {
          made += 1
          #expect(region.start >= 0 && region.loopStart >= region.start)
          #expect(region.loopStart <= region.loopEnd && region.loopEnd <= region.end)
          #expect(unsafe bank.samples[Int(region.end) + 7] == 0)
        }
      }
    }
    #expect(made > 1000)
  }

  /// A font whose tables can be read, or nil.
  private func layer(_ bytes: [UInt8]) throws -> PatchBank.Layer? {
    do {
      let font = FontBytes(bytes)
      return .init(path: "font.sf2", bytes: font, tables: try SoundFontTables(font))
    } catch {
      return nil
    }
  }

  @Test func `each error states the fault and the remedy`() {
    let errors: [(SoundFontVoicesError, String)] = [
      (.changed(path: "a.sf2"), "a.sf2: was replaced while it was read (start again)"),
      (
        .tooLarge(path: "a.sf2", frameCount: 3_000_000_000),
        "a.sf2: all fonts together have 3000000000 sample frames, at most 2147418111 are possible "
          + "(use fewer fonts, or fewer programs)"
      ),
      (
        .noMemory(byteCount: 5_000_001, code: 12),
        "not enough memory for 6 MB of samples: cannot allocate memory (choose a smaller font)"
      ),
    ]
    for (error, sentence) in errors { #expect(error.description == sentence) }
  }
}
