// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import SoundFontFiles
import SoundFontInstruments
import TestSupport
import Testing

/// The bank in a song's file: its presets take precedence, and its banks are selected in every bank
/// mode.
@Suite struct EmbeddedLayerTests {
  private static let channel = Channel(index: 0)

  private func layer(
    _ presets: [TinySoundFont.Extra] = [], offset: Int = 0, isEmbedded: Bool = true
  ) throws -> SoundFontLayer {
    SoundFontLayer(
      try SoundFont(path: "song.rmi", bytes: FontBytes(TinySoundFont.with(presets))),
      bankOffset: offset, isEmbedded: isEmbedded)
  }

  /// The preset of channel 1 after a bank select and a program change; nil if it is missing.
  private func selected(
    _ layers: [SoundFontLayer], _ mode: BankMode, upper: UInt8, lower: UInt8 = 0,
    program: UInt8 = 1
  ) throws -> [Int]? {
    let rehearsal = try FontRehearsal(try FontBank(layers), mode)
    rehearsal.take(Message(status: 0xB0, data1: 0, data2: upper))
    rehearsal.take(Message(status: 0xB0, data1: 32, data2: lower))
    rehearsal.take(Message(status: 0xC0, data1: program))
    guard rehearsal.missingPreset(on: Self.channel) == nil else { return nil }
    let preset = rehearsal.preset(on: Self.channel)
    return [preset.bank, preset.program]
  }

  @Test(arguments: BankMode.allCases)
  func `its banks are selected by controller 0 in every bank mode`(mode: BankMode) throws {
    let main = try layer(isEmbedded: false)
    let own = try layer(offset: 5)
    #expect(try selected([own, main], mode, upper: 5) == [5, 1])
    // The mode determines any other bank.
    let other = try selected([main], mode, upper: 9)
    #expect(try selected([own, main], mode, upper: 9) == other)
    #expect(try selected([own, main], mode, upper: 0) == [0, 1])
    // A program that it lacks is taken from the main font.
    #expect(
      try selected([own, main], mode, upper: 5, program: 7)
        == selected([main], mode, upper: 5, program: 7))
  }

  @Test(arguments: [BankMode.gm, .xg, .gm2])
  func `other fonts with a bank offset follow the bank mode`(mode: BankMode) throws {
    let main = try layer(isEmbedded: false)
    let other = try layer(offset: 5, isEmbedded: false)
    #expect(try selected([other, main], mode, upper: 5) == [0, 1])
  }

  @Test func `without an offset the preset that the bank mode selects has precedence`() throws {
    let own = try layer([.init(3, 1), .init(4, 9)])
    #expect(try selected([own], .gm, upper: 3) == [0, 1])
    #expect(try selected([own], .gs, upper: 3) == [3, 1])
    // Only this bank has the program.
    #expect(try selected([own], .gm, upper: 4, program: 9) == [4, 9])
    #expect(try selected([own], .xg, upper: 3, lower: 3) == [3, 1])
  }

  @Test func `drum channels play its kits, whatever the offset`() throws {
    let own = try layer([.init(128, 16)], offset: 5)
    let rehearsal = try FontRehearsal(try FontBank([own, layer(isEmbedded: false)]), .gs)
    let drums = Channel(index: 9)
    rehearsal.take(Message(status: 0xB9, data1: 0, data2: 5))
    rehearsal.take(Message(status: 0xC9, data1: 16))
    #expect(rehearsal.preset(on: drums) == (128, 16))
    #expect(rehearsal.missingPreset(on: drums) == nil)
  }

  @Test func `banks above 127 become bank 0`() throws {
    let own = try layer([.init(3, 40)], offset: 127)
    #expect([0, 1, 3, 127, 128].map { own.bank(of: $0) } == [127, 0, 0, 0, 128])
    #expect(try selected([own], .gs, upper: 127) == [127, 1])
    #expect(try selected([own], .gs, upper: 0, program: 40) == [0, 40])
    let other = try layer(offset: 127, isEmbedded: false)
    #expect([0, 1, 128].map { other.bank(of: $0) } == [127, nil, 128])
  }

  @Test func `its presets are identified by their numbers in the song`() throws {
    let presets = try [layer([.init(3, 40)], offset: 2), layer(isEmbedded: false)].ownPresets
    #expect(presets.numbers == [2 << 7, 2 << 7 | 1, 5 << 7 | 40])
    #expect(presets.contains(bank: 5, program: 40) && !presets.contains(bank: 0, program: 0))
    #expect(!presets.contains(bank: -1, program: 0) && !presets.contains(bank: 128, program: 0))
    #expect(try [layer(isEmbedded: false)].ownPresets.isEmpty)
  }
}
