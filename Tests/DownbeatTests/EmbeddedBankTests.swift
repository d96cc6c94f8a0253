// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Opening the bank in a song's file, with the offset that the file states.
@Suite struct EmbeddedBankTests {
  private static let song = SongBytes.notes(4, every: 480)

  private func file(
    _ information: [(String, [UInt8])] = [], bank: [UInt8] = TinySoundFont.bytes
  ) throws -> SequenceFile {
    try SMFReader().read(WrappedSong.file(Self.song, information, bank: bank))
  }

  @Test func `a song without a bank has none`() throws {
    #expect(try EmbeddedBank(of: SMFReader().read(Self.song), named: "a") == nil)
    #expect(try EmbeddedBank(of: file(bank: []), named: "a") == nil)
  }

  @Test(arguments: [nil, 0, 7, 127] as [Int?])
  func `a SoundFont is moved by the offset, 1 if none is stated`(offset: Int?) throws {
    let information = offset.map { [WrappedSong.bankOffset($0)] } ?? []
    let bank = try #require(try EmbeddedBank(of: file(information), named: "song.rmi"))
    #expect(bank.bankOffset == offset ?? 1 && bank.kind == .soundFont)
    #expect(bank.layer.isEmbedded && bank.layer.bankOffset == bank.bankOffset)
    #expect(bank.presetCount == 3 && bank.font.byteCount == TinySoundFont.bytes.count)
  }

  /// A song that selects programs 1 and 2 of a bank.
  private static func song(bank: UInt8, lower: UInt8 = 0) -> [UInt8] {
    let notes: [(delta: Int, bytes: [UInt8])] = [1, 2].flatMap { program in
      [(0, [0xC0, program]), (0, [0x90, 60, 100]), (10, [0x80, 60, 0])]
    }
    return SongBytes.file([(0, [0xB0, 0, bank]), (0, [0xB0, 32, lower])] + notes)
  }

  @Test(
    arguments: [
      (0, nil, 0), (1, nil, 1), (2, nil, 0), (1, 0, 0), (0, 3, 3),
    ] as [(UInt8, Int?, Int)])
  func `a DLS bank has the offset 1 only if the song needs it, or the one that is stated`(
    bank: UInt8, stated: Int?, offset: Int
  ) throws {
    var collection = TinyDLS()
    collection.instruments = [1, 2].map { program in
      var instrument = TinyDLS.Instrument()
      instrument.program = program
      return instrument
    }
    let information = stated.map { [WrappedSong.bankOffset($0)] } ?? []
    let file = try SMFReader().read(
      WrappedSong.file(Self.song(bank: bank), information, bank: collection.bytes))
    let found = try #require(try EmbeddedBank(of: file, named: "song.rmi"))
    #expect(found.bankOffset == offset && found.kind == .downloadableSounds)
    #expect(found.presetCount == 2)
    #expect([found.layer].ownPresets.hasLowerBanks)
  }

  @Test func `banks are equal if their bytes and offsets are`() throws {
    let one = try #require(try EmbeddedBank(of: file(), named: "a.rmi"))
    let named = [WrappedSong.text("INAM", "Other")]
    #expect(try EmbeddedBank(of: file(named), named: "b.rmi") == one)
    #expect(try EmbeddedBank(of: file([WrappedSong.bankOffset(2)]), named: "a.rmi") != one)
    var bytes = TinySoundFont.bytes
    bytes[bytes.count / 2] ^= 1
    let other = try #require(try EmbeddedBank(of: file(bank: bytes), named: "a.rmi"))
    #expect(other != one && other.hashValue != one.hashValue)
  }

  @Test func `a damaged bank is an error that names the song's file`() throws {
    let cut = Array(WrappedSong.file(Self.song, bank: TinySoundFont.bytes).dropLast(60))
    #expect {
      try EmbeddedBank(of: SMFReader().read(cut), named: "song.rmi")
    } throws: {
      "\($0)".hasPrefix("song.rmi: ")
    }
    #expect(throws: InstrumentError.self) {
      try EmbeddedBank(of: file(bank: SongWrapperChunks.emptyBank), named: "song.rmi")
    }
  }

  @Test func `a bank is rendered as the same soundfont with the same offset is`() throws {
    let select: [UInt8] = [0xB0, 0, 5]
    let notes = SongBytes.file([
      (0, select), (0, [0xC0, 9]), (0, [0x90, 69, 100]), (480, [0x80, 69, 0]),
      (0, [0x99, 40, 90]), (240, [0x89, 40, 0]), (10, [0x90, 60, 100]), (480, [0x80, 60, 0]),
    ])
    let scratch = try ScratchFolder()
    let path = try scratch.write("bank.sf2", TinySoundFont.with([.init(0, 9)]))
    let main = try scratch.write("main.sf2", TinySoundFont.bytes)
    let wrapped = try SMFReader().read(
      WrappedSong.file(
        notes, [WrappedSong.bankOffset(5)], bank: TinySoundFont.with([.init(0, 9)])))
    var settings = SessionSettings(soundFont: main)
    settings.embeddedBank = try EmbeddedBank(of: wrapped, named: "song.rmi")
    let own = try samples(of: wrapped, settings)
    settings.embeddedBank = nil
    let without = try samples(of: wrapped, settings)
    settings.soundFonts.insert(.init(path: path, bankOffset: 5), at: 0)
    #expect(try samples(of: wrapped, settings) == own)
    #expect(own.contains { $0 != 0 } && own != without)
  }

  @Test func `a song that contains all its sounds needs no soundfont`() throws {
    let wrapped = try SMFReader().read(
      WrappedSong.file(Self.song, [WrappedSong.bankOffset(0)], bank: TinySoundFont.bytes))
    var settings = SessionSettings(rate: .hertz48000)
    settings.embeddedBank = try EmbeddedBank(of: wrapped, named: "song.rmi")
    let own = try samples(of: wrapped, settings)
    let scratch = try ScratchFolder()
    let font = try scratch.write("bank.sf2", TinySoundFont.bytes)
    #expect(own.contains { $0 != 0 })
    #expect(try own == samples(of: wrapped, SessionSettings(soundFont: font)))
  }

  private func samples(of file: SequenceFile, _ settings: SessionSettings) throws -> [Float] {
    let renderer = try SongRenderer(file.sequences[0], settings: settings)
    var samples: [Float] = []
    _ = try renderer.render(limiting: false) { part, _ in
      for index in part.indices { samples.append(part[index]) }
      return true
    }
    return samples
  }
}

/// Chunks of banks that cannot be used.
private enum SongWrapperChunks {
  static let emptyBank = WrappedSong.chunk("RIFF", Array("sfbk".utf8))
}
