// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// The resets of GM, GM2, GS, XG and the MT-32, and what is none of them.
@Suite struct SysExResetTests {
  private static let resets: [([UInt8], SysExReset, BankMode?)] = [
    ([0x7E, 0x7F, 9, 1], .generalMIDI, .gm),
    ([0x7E, 0x10, 9, 2], .off, nil),
    ([0x7E, 0x7F, 9, 3], .generalMIDI2, .gm2),
    ([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41], .gs, .gs),
    ([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0x7F, 0x42], .generalMIDI, .gm),
    ([0x41, 0x10, 0x42, 0x12, 0, 0, 0x7F, 0, 1], .gs, .gs),
    ([0x41, 0x10, 0x42, 0x12, 0, 0, 0x7F, 1, 0], .gs, .gs),
    ([0x41, 0x10, 0x16, 0x12, 0x7F, 0, 0, 1, 0], .mt32, nil),
    ([0x43, 0x10, 0x4C, 0, 0, 0x7E, 0], .xg, .xg),
    ([0x43, 0x10, 0x4C, 0, 0, 0x7F, 0], .xg, .xg),
  ]

  @Test(arguments: resets)
  func `a reset is known with its bank mode`(
    bytes: [UInt8], reset: SysExReset, mode: BankMode?
  ) {
    #expect(SysExReset(bytes) == reset)
    #expect(reset.bankMode == mode)
  }

  @Test(arguments: resets.map(\.0))
  func `a shorter, longer or different command is not a reset`(bytes: [UInt8]) {
    for count in 0..<min(8, bytes.count) { #expect(SysExReset(Array(bytes.prefix(count))) == nil) }
    // The data of an MT-32's reset may be of any length.
    if bytes[2] != 0x16 { #expect(SysExReset(bytes + [0]) == nil) }
    for place in [0, 2] + (bytes.count > 4 ? [3] : []) {
      var other = bytes
      other[place] ^= 0x20
      #expect(SysExReset(other) == nil)
    }
  }

  @Test(
    arguments: [
      [0x7E, 0x7F, 9, 4], [0x7F, 0x7F, 9, 1],
      // Sums that are wrong, and values that set no mode.
      [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x40],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 5, 0x3C],
      [0x41, 0x10, 0x42, 0x12, 0, 0, 0x7F, 2, 0x7F],
      [0x41, 0x10, 0x42, 0x12, 0x40, 1, 0x7F, 0, 0x40],
      [0x43, 0x10, 0x4C, 0, 0, 0x7E, 1], [0x43, 0x10, 0x4C, 0, 0, 0x7D, 0],
    ] as [[UInt8]])
  func `a damaged reset is none`(bytes: [UInt8]) {
    #expect(SysExReset(bytes) == nil)
  }
}
