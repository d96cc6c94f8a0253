// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Wrappers are written as files that are made by hand, byte for byte.
@Suite struct WrapperWriterTests {
  private static let song = SampleFiles.everything
  private static let bank = SongWrapperTests.bank()
  private static let information = [
    WrappedSong.text("INAM", "Blue"), ("IPIC", [1, 2, 3] as [UInt8]), WrappedSong.bankOffset(2),
    ("ZZZZ", [9]),
  ]

  @Test func `an unchanged file is written byte for byte, whatever its chunks`() throws {
    let chunks: [[UInt8]] = [
      Self.bank, WrappedSong.chunk("DISP", [1, 2, 3]), WrappedSong.list(Self.information),
      WrappedSong.chunk("data", Self.song), WrappedSong.chunk("junk", []),
    ]
    let bytes = WrappedSong.form(chunks.flatMap { $0 })
    #expect(try WrapperWriter().write(SMFReader().read(bytes)) == bytes)
    #expect(try WrapperWriter().write(SMFReader().read(Self.song)) == Self.song)
  }

  @Test func `an edited song keeps its bank and its texts`() throws {
    let bytes = WrappedSong.file(Self.song, Self.information, bank: Self.bank)
    var file = try SMFReader().read(bytes)
    let length = file.sequences[0].length
    try file.sequences[0].transpose(.zero..<length, by: 2)
    let again = try SMFReader().read(try WrapperWriter().write(file))
    let wrapper = try #require(again.wrapper)
    #expect(again.repairs.allSatisfy(\.isRemark) && wrapper.bankOffset == 2)
    #expect(wrapper.bank.map { Array(wrapper.bytes[$0.range]) } == Self.bank)
    #expect(wrapper.information.count == 4)
    #expect(try SMFWriter().write(again) == SMFWriter().write(file))
    #expect(try SMFWriter().write(again) != Self.song)
  }

  @Test func `a head and a bank are the whole file, even if the bank's length is odd`() throws {
    let song = try SMFReader().read(Self.song)
    var information = WrapperInformation()
    information.set(.title, "Blue\0")
    information[.picture] = [1, 2, 3]
    information.bankOffset = 2
    information.entries.append(WrapperInformation.Entry(ChunkName("ZZZZ"), [9]))
    information.entries.append(WrapperInformation.Entry(ChunkName("NONE"), []))
    for bank in [Self.bank, Self.bank + [7], []] {
      let head = try WrapperWriter().head(of: song, information, bankCount: bank.count)
      let written = head + bank + WrapperWriter.padding(ofBank: bank.count)
      #expect(written == WrappedSong.file(Self.song, Self.information, bank: bank))
    }
    let bare = try WrapperWriter().head(of: song, WrapperInformation(), bankCount: 0)
    #expect(bare == WrappedSong.file(Self.song))
  }

  @Test func `fields are replaced in their places, removed, and limited`() throws {
    let bytes = WrappedSong.file(
      Self.song, [("IPRD", [1]), WrappedSong.text("INAM", "A"), ("IALB", [2]), ("XYZ ", [3])])
    let wrapper = try #require(try SMFReader().read(bytes).wrapper)
    var information = WrapperInformation(wrapper)
    #expect(information[.album] == [2] && information.bankOffset == nil)
    information.set(.album, "New")
    #expect(information.entries.map { "\($0.name)" } == ["IALB", "INAM", "XYZ "])
    information.set(.title, "")
    #expect(information.entries.map { "\($0.name)" } == ["IALB", "XYZ "])
    information.bankOffset = 500
    #expect(information.bankOffset == 127 && information[.bankOffset] == [127, 0])
    information.bankOffset = nil
    #expect(information[.bankOffset] == nil)
  }

  @Test(arguments: [Int.max, 1 << 32, (1 << 32) - 20])
  func `a bank that does not fit in a RIFF file is refused`(count: Int) throws {
    let song = try SMFReader().read(Self.song)
    #expect(throws: SequenceError.self) {
      try WrapperWriter().head(of: song, WrapperInformation(), bankCount: count)
    }
  }
}
