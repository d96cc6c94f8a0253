// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import TestSupport
import Testing

/// The reader keeps the contents of a RIFF wrapper, and damage to them never stops the song.
@Suite struct SongWrapperTests {
  /// A bank without presets: 12 bytes and a list.
  static func bank(_ form: String = "sfbk") -> [UInt8] {
    WrappedSong.chunk("RIFF", Array(form.utf8) + WrappedSong.chunk("LIST", Array("pdta".utf8)))
  }

  private static let song = SampleFiles.runningStatus

  private func read(_ bytes: [UInt8]) throws -> SequenceFile {
    let file = try SMFReader().read(bytes)
    let plain = try SMFReader().read(Self.song)
    #expect(file.sequences.map(\.length) == plain.sequences.map(\.length))
    #expect(file.container == .rmid)
    return file
  }

  private func wrapper(_ bytes: [UInt8]) throws -> SongWrapper {
    try #require(try read(bytes).wrapper)
  }

  private func kinds(_ file: SequenceFile) -> [Repair.Kind] {
    file.repairs.filter { !$0.isRemark }.map(\.kind)
  }

  @Test(arguments: [("sfbk", SongWrapper.Bank.Kind.soundFont, 1), ("DLS ", .downloadableSounds, 0)])
  func `a bank is found with its bytes and the offset of its kind`(
    form: String, kind: SongWrapper.Bank.Kind, offset: Int
  ) throws {
    let bank = Self.bank(form)
    let file = try read(WrappedSong.file(Self.song, bank: bank))
    let wrapper = try #require(file.wrapper)
    let found = try #require(wrapper.bank)
    #expect(found.kind == kind && found.missingCount == 0)
    #expect(Array(wrapper.bytes[found.range]) == bank)
    #expect(wrapper.statedBankOffset == nil && wrapper.bankOffset == offset)
    #expect(kinds(file).isEmpty && wrapper.hasContents)
  }

  @Test func `a padding byte inside the song's chunk is not damage, but more bytes are`() throws {
    #expect(try kinds(read(WrappedSong.file(Self.song + [0], bank: Self.bank()))).isEmpty)
    #expect(try kinds(read(WrappedSong.file(Self.song + [0, 0]))) == [.trailingBytes])
    #expect(try kinds(read(WrappedSong.file(Self.song + [1]))) == [.trailingBytes])
  }

  @Test func `without a wrapper there is nothing, and without a bank the offset is 0`() throws {
    #expect(try SMFReader().read(Self.song).wrapper == nil)
    let wrapper = try wrapper(WrappedSong.file(Self.song, [WrappedSong.bankOffset(3)]))
    #expect(wrapper.bank == nil && wrapper.statedBankOffset == 3 && wrapper.bankOffset == 0)
    #expect(try !self.wrapper(WrappedSong.file(Self.song)).hasContents)
  }

  @Test(arguments: [0, 1, 5, 127])
  func `a stated bank offset counts for every kind of bank`(offset: Int) throws {
    for form in ["sfbk", "DLS "] {
      let bytes = WrappedSong.file(
        Self.song, [WrappedSong.bankOffset(offset)], bank: Self.bank(form))
      #expect(try wrapper(bytes).bankOffset == offset)
    }
  }

  @Test(arguments: [[], [1], [1, 0, 0], [128, 0], [0, 1], [255, 255]] as [[UInt8]])
  func `a bank offset of another length or above 127 is reported, and not used`(
    bytes: [UInt8]
  ) throws {
    let file = try read(WrappedSong.file(Self.song, [("DBNK", bytes)], bank: Self.bank()))
    #expect(kinds(file) == [.bankOffset])
    #expect(file.wrapper?.statedBankOffset == nil && file.wrapper?.bankOffset == 1)
    #expect(throws: SequenceError.self) {
      try SMFReader(strict: true).read(
        WrappedSong.file(Self.song, [("DBNK", bytes)], bank: Self.bank()))
    }
  }

  @Test func `fields are found by their names, and end before their zeros`() throws {
    let wrapper = try wrapper(
      WrappedSong.file(
        Self.song,
        [
          WrappedSong.text("INAM", "Blue"), WrappedSong.text("IART", "Ann"),
          WrappedSong.text("IPRD", "Old"), WrappedSong.text("IALB", "New"), ("IGNR", []),
          ("ICMT", [0]), WrappedSong.text("ICRT", "1999"), ("IPIC", [0x89, 0, 1]),
          WrappedSong.text("IENC", "windows-1251"), ("XXXX", [7]),
        ]))
    func text(_ field: SongWrapper.Field) -> String? {
      wrapper.content(of: field).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(text(.title) == "Blue" && text(.artist) == "Ann" && text(.album) == "New")
    #expect(text(.date) == "1999" && text(.encoding) == "windows-1251")
    #expect(text(.genre) == nil && text(.comment) == nil && text(.copyright) == nil)
    #expect(wrapper.content(of: .picture).map(Array.init) == [0x89, 0, 1])
    #expect(wrapper.information.count == 9)
  }

  @Test func `chunks are found in any order, and unknown ones are kept`() throws {
    let bank = Self.bank()
    let chunks: [[UInt8]] = [
      WrappedSong.chunk("data", Self.song), bank, WrappedSong.chunk("DISP", [1, 2, 3]),
      WrappedSong.list([WrappedSong.text("INAM", "A"), WrappedSong.bankOffset(2)]),
    ]
    for first in chunks.indices {
      let order = (0..<chunks.count).map { chunks[(first + $0) % chunks.count] }
      for order in [order, order.reversed()] {
        let file = try read(WrappedSong.form(order.flatMap { $0 }))
        let wrapper = try #require(file.wrapper)
        #expect(kinds(file).isEmpty && wrapper.chunks.count == 4 && wrapper.bankOffset == 2)
        #expect(wrapper.bank.map { Array(wrapper.bytes[$0.range]) } == bank)
      }
    }
  }

  @Test func `a chunk of odd length may lack its padding before a known chunk`() throws {
    let odd = Self.song + [0]
    let song = odd.count % 2 == 1 ? odd : odd + [0]
    let chunk = WrappedSong.chunk("data", song).dropLast()
    let list = WrappedSong.list([WrappedSong.text("INAM", "Odd")])
    let wrapper = try #require(
      try SMFReader().read(WrappedSong.form(chunk + list + Self.bank())).wrapper)
    #expect(wrapper.content(of: .title).map(Array.init) == Array("Odd".utf8))
    #expect(wrapper.bank != nil)
  }

  @Test func `a bank that is cut is reported, and the song is read`() throws {
    let whole = WrappedSong.file(Self.song, [WrappedSong.text("INAM", "A")], bank: Self.bank())
    for missing in 1...Self.bank().count - 12 {
      let file = try read(whole.dropLast(missing))
      #expect(kinds(file) == [.bankLength])
      #expect(file.repairs.first?.value == missing)
      #expect(file.wrapper?.bank?.missingCount == missing)
    }
  }

  @Test func `of two banks the first counts, and the second is reported`() throws {
    let file = try read(WrappedSong.file(Self.song, bank: Self.bank("DLS ") + Self.bank()))
    #expect(kinds(file) == [.furtherBank])
    #expect(file.wrapper?.bank?.kind == .downloadableSounds)
  }

  @Test func `lengths of 2³² in every chunk stop nothing`() throws {
    let whole = WrappedSong.file(
      Self.song, [WrappedSong.text("INAM", "A"), WrappedSong.bankOffset(1)], bank: Self.bank())
    let names = ["RIFF", "data", "LIST", "INAM", "DBNK"]
    // The bank's own chunks are not read here.
    for place in 0..<whole.count - Self.bank().count + 1 {
      guard names.contains(String(decoding: whole[place..<place + 4], as: UTF8.self)) else {
        continue
      }
      var bytes = whole
      for index in place + 4..<place + 8 { bytes[index] = 0xFF }
      let file = try SMFReader().read(bytes)
      #expect(place == 0 || file.isRepaired, "\(place)")
    }
  }

  @Test func `a wrapper without a song, or with something else in its place, is refused`() {
    for bytes in [WrappedSong.form(Self.bank()), WrappedSong.form(WrappedSong.chunk("data", [1]))] {
      #expect(throws: SequenceError.notMIDI("a RIFF file without MIDI data")) {
        try SMFReader().read(bytes)
      }
    }
  }
}
