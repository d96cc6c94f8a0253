// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MIDIMessages
import MusicSequences
import SoundFontFiles
import SoundFontInstruments
import TestSupport
import Testing

/// The presets, keys and velocities of soundfonts that songs play.
@Suite struct FontUseTests {
  private typealias Events = [(Int, [UInt8])]

  private let scratch: ScratchFolder
  private let layers: [SoundFontLayer]

  /// Two fonts: presets 0:0, 0:1, 128:0 (twice), 0:5 up to key 72, 8:5 for key 60 alone.
  init() throws {
    scratch = try ScratchFolder()
    let first = try scratch.write(
      "first.sf2", TinySoundFont.with([.init(0, 5, keys: 48...72), .init(8, 5, keys: 60...60)]))
    let second = try scratch.write("second.sf2", TinySoundFont.with([.init(3, 9)]))
    layers = [
      SoundFontLayer(try SoundFont(path: first)),
      SoundFontLayer(try SoundFont(path: second), bankOffset: 4),
    ]
  }

  private func use(_ events: Events, _ mode: BankMode = .auto) throws -> FontUse {
    var use = try FontUse(of: layers, in: mode, keepsLoudness: false)
    let song = try SMFReader().read(SongBytes.file(events.map { (delta: $0.0, bytes: $0.1) }))
    try use.add(song.sequences)
    return use
  }

  private func note(_ channel: UInt8, _ key: UInt8, _ velocity: UInt8 = 100) -> Events {
    [(0, [0x90 | channel, key, velocity]), (48, [0x80 | channel, key, 0])]
  }

  /// A SysEx message in the form of a file: F0, the length, the bytes, F7.
  private func sysEx(_ bytes: [UInt8]) -> (Int, [UInt8]) {
    (0, [0xF0, UInt8(bytes.count + 1)] + bytes + [0xF7])
  }

  /// A parameter of a GS part; the checksum makes the sum of address and data 0.
  private func gs(_ address: [UInt8], _ value: UInt8) -> (Int, [UInt8]) {
    let sum = (address + [value]).reduce(0) { $0 + Int($1) }
    return sysEx([0x41, 0x10, 0x42, 0x12] + address + [value, UInt8((128 - sum % 128) % 128)])
  }

  /// `layer bank:program key/velocity …` of each preset.
  private func words(_ use: FontUse) -> [String] {
    use.presets.map { preset in
      var words = "\(preset.layer) \(preset.own.bank):\(preset.own.program)"
      for key in UInt8(0)..<128 {
        for velocity in UInt8(0)..<128 where preset.notes.contains(key: key, velocity: velocity) {
          words += " \(key)/\(velocity)"
        }
      }
      return words
    }
  }

  @Test func `a note counts with its preset, key and velocity, once`() throws {
    let use = try use([(0, [0xC0, 5])] + note(0, 60) + note(0, 62, 1) + note(0, 60) + note(9, 38))
    #expect(words(use) == ["0 0:5 60/100 62/1", "0 128:0 38/100"])
  }

  @Test func `a note without a sound still names its preset`() throws {
    #expect(try words(use([(0, [0xC0, 5])] + note(0, 100))) == ["0 0:5 100/100"])
  }

  @Test func `presets that are selected and not played do not count`() throws {
    #expect(try words(use([(0, [0xC0, 5]), (0, [0xC0, 1])] + note(0, 60))) == ["0 0:1 60/100"])
  }

  @Test func `bank offsets are taken off, and the first font that has a preset plays it`() throws {
    let song: Events = [(0, [0xB0, 0, 7]), (0, [0xC0, 9])] + note(0, 60)
    let moved: Events = [(0, [0xB0, 0, 4]), (0, [0xC0, 1])] + note(0, 61)
    #expect(try words(use(song + moved)) == ["1 0:1 61/100", "1 3:9 60/100"])
    #expect(try use(song).presets.map(\.played.bank) == [7])
  }

  @Test func `a preset that no font has counts as the one that plays for it`() throws {
    let use = try use([(0, [0xB0, 0, 9]), (0, [0xC0, 5])] + note(0, 60))
    #expect(words(use) == ["0 0:5 60/100"])
    #expect(use.presets.first?.standsFor == [FontUse.Number(bank: 9, program: 5)])
  }

  @Test func `a key shift moves the keys`() throws {
    let use = try use([gs([0x40, 0x11, 0x16], 0x40 + 12)] + note(0, 60))
    #expect(words(use) == ["0 0:0 72/100"])
  }

  @Test func `velocity sense changes the velocities`() throws {
    // Half the slope: 100 becomes 50.
    let use = try use([gs([0x40, 0x11, 0x1A], 32)] + note(0, 60))
    #expect(words(use) == ["0 0:0 60/50"])
  }

  @Test func `a key range of a part leaves notes out`() throws {
    let use = try use([gs([0x40, 0x11, 0x1D], 61)] + note(0, 60) + note(0, 61))
    #expect(words(use) == ["0 0:0 61/100"])
  }

  @Test func `a part that receives another channel plays its notes too`() throws {
    // Part 2 (block 2) receives channel 1 with another program.
    let use = try use(
      [(0, [0xC1, 5]), gs([0x40, 0x12, 0x02], 0)] + note(0, 60))
    #expect(words(use).contains("0 0:0 60/100"))
    #expect(words(use).contains("0 0:5 60/100"))
  }

  @Test func `a program that SysEx selects counts`() throws {
    let message = sysEx([0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x00, 8, 5, 0x22])
    #expect(try words(use([message] + note(0, 60))) == ["0 8:5 60/100"])
  }

  @Test func `a rhythm part plays kits`() throws {
    let use = try use([gs([0x40, 0x11, 0x15], 1)] + note(0, 60))
    #expect(words(use) == ["0 128:0 60/100"])
  }

  @Test func `a mono part returns to a held key with the program it has by then`() throws {
    let use = try use([
      (0, [0xB0, 126, 1]), (0, [0x90, 50, 90]), (10, [0x90, 60, 80]), (10, [0xC0, 5]),
      (10, [0x80, 60, 0]), (10, [0x80, 50, 0]),
    ])
    #expect(words(use) == ["0 0:0 50/90 60/80", "0 0:5 50/90"])
  }

  @Test func `the bank mode decides`() throws {
    let song: Events = [(0, [0xB0, 0, 8]), (0, [0xC0, 5])] + note(0, 60)
    #expect(try words(use(song)) == ["0 8:5 60/100"])
    #expect(try words(use(song, .gm)) == ["0 0:5 60/100"])
  }

  @Test func `an MT-32 finds the presets by which it is known`() throws {
    let timbres = try scratch.write("timbres.sf2", TinySoundFont.withTimbres)
    var use = try FontUse(of: [SoundFontLayer(try SoundFont(path: timbres))])
    let reset = sysEx([0x41, 0x10, 0x16, 0x12, 0x7F, 0, 0, 0, 0x01])
    let events = [reset] + note(1, 60)
    let song = try SMFReader().read(SongBytes.file(events.map { (delta: $0.0, bytes: $0.1) }))
    try use.add(song.sequences)
    #expect(use.presets.contains { $0.own == FontUse.Number(bank: 127, program: 0) })
  }

  @Test func `the notes by which loudness is measured count, unless they are not wanted`() throws {
    var use = try FontUse(of: layers)
    let events = note(0, 62, 1) + note(9, 38, 1)
    let song = try SMFReader().read(SongBytes.file(events.map { (delta: $0.0, bytes: $0.1) }))
    try use.add(song.sequences)
    // The C of the octave, and the drum itself, at velocity 90.
    #expect(words(use) == ["0 0:0 60/90 62/1", "0 128:0 38/1 38/90"])
  }

  // MARK: Trimmed fonts

  @Test func `a trimmed font has the presets that are played, and its texts`() throws {
    let use = try use([(0, [0xC0, 5])] + note(0, 60) + note(9, 38))
    let document = try use.trimmed(layer: 0)
    #expect(Set(document.presets.map { "\($0.bank):\($0.program)" }) == ["0:5", "128:0"])
    #expect(document.text("INAM") == layers[0].font.tables.texts["INAM"])
    let bytes = try SoundFontWriter.bytes(of: document)
    let font = try SoundFont(path: "trimmed", bytes: bytes)
    #expect(font.tables.presets.count == 2)
    #expect(font.byteCount < layers[0].font.byteCount)
  }

  @Test func `a preset whose notes are silent is kept without sounds`() throws {
    let document = try use([(0, [0xC0, 5])] + note(0, 100)).trimmed(layer: 0)
    #expect(document.presets.map { "\($0.bank):\($0.program)" } == ["0:5"])
    #expect(document.samples.isEmpty)
  }

  @Test func `a font of which nothing is played is empty, and so is a bank`() throws {
    #expect(try use([]).trimmed(layer: 0).presets.isEmpty)
    #expect(try use([]).bank() == nil)
  }

  @Test func `a bank has the presets of all fonts under the numbers that are selected`() throws {
    let use = try use(
      [(0, [0xB0, 0, 7]), (0, [0xC0, 9])] + note(0, 60)
        + [(0, [0xB0, 0, 9]), (0, [0xC0, 5])] + note(0, 60) + note(9, 38))
    let bank = try #require(try use.bank())
    #expect(
      bank.presets.map { "\($0.bank):\($0.program)" }.sorted() == ["0:5", "128:0", "7:9", "9:5"])
    let font = try SoundFont(path: "bank", bytes: try SoundFontWriter.bytes(of: bank))
    #expect(font.tables.presets.count == 4)
    #expect(bank.text("INAM") == "Tiny")
    #expect(bank.text("ICMT") == "Tiny")
  }

  @Test func `a preset that no font can replace is silent in a bank, too`() throws {
    var document = try layers[0].font.document
    document.removePresets { $0.bank == 128 }
    let bytes = try SoundFontWriter.bytes(of: document)
    var use = try FontUse(of: [SoundFontLayer(try SoundFont(path: "no kit", bytes: bytes))])
    let events = note(0, 60) + note(9, 38)
    let song = try SMFReader().read(SongBytes.file(events.map { (delta: $0.0, bytes: $0.1) }))
    try use.add(song.sequences)
    let bank = try #require(try use.bank())
    let kit = try #require(bank.presets.first { $0.bank == 128 && $0.program == 0 })
    #expect(kit.zones.isEmpty)
    let font = try SoundFont(path: "bank", bytes: try SoundFontWriter.bytes(of: bank))
    #expect(font.tables.presets.map(\.bank) == [0, 128])
  }

  @Test func `fonts of different gains keep their distance`() throws {
    let soft = SoundFontLayer(layers[1].font, bankOffset: 4, gain: 0.5)
    var use = try FontUse(of: [layers[0], soft])
    let events: Events = [(0, [0xB0, 0, 7]), (0, [0xC0, 9])] + note(0, 60) + note(9, 38)
    try use.add(
      try SMFReader().read(SongBytes.file(events.map { (delta: $0.0, bytes: $0.1) })).sequences)
    let bank = try #require(try use.bank())
    let preset = try #require(bank.presets.first { $0.bank == 7 })
    // 6.02 dB in steps of 0.04 dB.
    let amounts = preset.zones.flatMap(\.generators).filter { $0.kind == 48 }.map(\.value)
    #expect(amounts == [151])
    let kit = try #require(bank.presets.first { $0.bank == 128 })
    #expect(kit.zones.flatMap(\.generators).allSatisfy { $0.kind != 48 })
  }
}
