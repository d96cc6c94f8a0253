// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@Suite struct DLSBanksTests {
  private func numbers(_ banks: [UInt32]) throws -> [String] {
    var file = TinyDLS()
    file.instruments = banks.enumerated().map { index, bank in
      var instrument = TinyDLS.Instrument()
      (instrument.bank, instrument.name) = (bank, "\(index)")
      return instrument
    }
    let tables = try SoundFontTables.open(FontBytes(file.bytes)).tables
    return tables.presets.map { "\($0.bank) \($0.name)" }.sorted()
  }

  @Test(arguments: [
    // Controllers 0 and 32; the bank that GM, GS, XG and GM2 songs find.
    (0x0000, 0), (0x0800, 8), (0x0008, 8), (0x4000, 64), (0x7900, 0), (0x7903, 3), (0x7800, 128),
    (0x7F00, 128), (0x8000_0000, 128), (0x8000_7E00, 126), (0x8000_0100, 128), (0x0805, 8),
  ])
  func `an instrument's bank is the controller that is not 0`(bank: UInt32, number: Int) throws {
    #expect(try numbers([bank]) == ["\(number) 0"])
  }

  @Test func `an exact number precedes one of two controllers`() throws {
    #expect(try numbers([0x0805, 0x0800]) == ["5 0", "8 1"])
    #expect(try numbers([0x8000_0100, 0x8000_0000]) == ["128 1", "129 0"])
  }

  @Test func `instruments whose numbers are taken get other banks`() throws {
    #expect(try numbers([0x0100, 0x0001, 0x0101]) == ["1 0", "129 1", "130 2"])
    #expect(try numbers([0x8000_0000, 0x8000_0100]) == ["128 0", "129 1"])
  }

  @Test func `an instrument whose number is taken is reported`() throws {
    var file = TinyDLS()
    file.instruments.append(file.instruments[0])
    file.instruments[1].name = "again"
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    #expect(tables.presets.count == 2)
    #expect(
      try tables.findings(in: bytes).map(\.description)
        == ["preset 129:0 'again': MIDI cannot select this number"])
  }
}
