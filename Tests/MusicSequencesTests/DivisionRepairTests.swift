// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// A division without meaning is read as one that a file can name: what was repaired can be saved.
@Suite struct DivisionRepairTests {
  @Test(arguments: [
    ([UInt8](arrayLiteral: 0xE3, 0x00), Division.smpte(.fps2997Drop, ticksPerFrame: 40)),
    ([0xE8, 0x00], .smpte(.fps24, ticksPerFrame: 40)),
    ([0xE0, 0x28], .smpte(.fps25, ticksPerFrame: 40)),
    ([0x80, 0x00], .smpte(.fps25, ticksPerFrame: 40)),
  ])
  func `a repaired division is written and read again`(
    bits: [UInt8], division: Division
  ) throws {
    var bytes = SongBytes.notes(2, every: 480)
    bytes.replaceSubrange(12..<14, with: bits)
    let file = try SMFReader().read(bytes)
    #expect(file.division == division)
    #expect(file.isRepaired)
    let again = try SMFReader().read(try SMFWriter().write(file))
    #expect(again.division == division)
    #expect(!again.isRepaired)
  }
}
