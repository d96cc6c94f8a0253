// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// The notes of a song that a soundfont cannot play.
@Suite struct FontFitTests {
  private let bank: FontBank
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let path = try scratch.write(
      "font.sf2", TinySoundFont.with([.init(0, 5, keys: 48...72), .init(8, 5, keys: 60...60)]))
    bank = try FontBank([SoundFontLayer(try SoundFont(path: path))])
  }

  private func fit(_ events: [(Int, [UInt8])], _ mode: BankMode = .auto) throws -> FontFit {
    let song = try #require(try SMFReader().read(SongBytes.file(events)).sequences.first)
    return try FontFit([song], with: bank, in: mode)
  }

  private func note(_ channel: UInt8, _ key: UInt8) -> [(Int, [UInt8])] {
    [(0, [0x90 | channel, key, 100]), (48, [0x80 | channel, key, 0])]
  }

  @Test func `notes below and above the keys of a preset are silent, and counted`() throws {
    let fit = try fit([(0, [0xC0, 5])] + note(0, 60) + note(0, 40) + note(0, 80) + note(0, 40))
    #expect(fit.missing.isEmpty)
    #expect(fit.unplayable.map(\.key.number) == [40, 80])
    #expect(fit.unplayable.map(\.count) == [2, 1])
    #expect(fit.unplayable.map(\.reason) == [.key, .key])
    #expect(fit.unplayable.map(\.firstTick.value) == [48, 96])
    #expect(fit.silentCount == 3)
  }

  @Test func `a preset that is missing plays another, whose keys count`() throws {
    let fit = try fit([(0, [0xB0, 0, 9]), (0, [0xC0, 5])] + note(0, 40) + note(0, 60))
    #expect(fit.missing.map(\.bank) == [9])
    #expect(fit.missing.map(\.replacement?.program) == [5])
    #expect(fit.unplayable.map(\.key.number) == [40])
    #expect(fit.unplayable.map(\.bank) == [9])
  }

  @Test func `the bank mode determines the requested presets`() throws {
    let events = [(0, [0xB0, 0, 8] as [UInt8]), (0, [0xC0, 5])] + note(0, 50)
    #expect(try fit(events).silentCount == 1)
    #expect(try fit(events, .gm).silentCount == 0)
  }

  @Test func `a song that the font can play is without faults`() throws {
    let fit = try fit(note(0, 0) + note(0, 127) + note(9, 38))
    #expect(fit.missing.isEmpty)
    #expect(fit.unplayable.isEmpty)
  }
}
