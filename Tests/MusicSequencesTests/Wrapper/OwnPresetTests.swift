// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import Testing

/// While a song is read, its own presets are selected as the synthesiser selects them.
@Suite struct OwnPresetTests {
  private static let own: OwnPresets = {
    var presets = OwnPresets()
    for (bank, program) in [(5, 1), (0, 7), (6, 7)] { presets.insert(bank: bank, program: program) }
    presets.insert(bank: 128, program: 3)
    presets.insert(bank: -1, program: 3)
    presets.insert(bank: 3, program: 128)
    return presets
  }()

  /// The bank of channel 1 after a bank select and a program change.
  private func bank(
    _ mode: BankMode, upper: UInt8, lower: UInt8 = 0, program: UInt8 = 1, own: OwnPresets = Self.own
  ) -> UInt8 {
    var programs = PortPrograms(mode, ownPresets: own)
    programs.take(Message(status: 0xB0, data1: 0, data2: upper))
    programs.take(Message(status: 0xB0, data1: 32, data2: lower))
    programs.take(Message(status: 0xC0, data1: program))
    return programs[Channel(index: 0)].bank
  }

  @Test(arguments: BankMode.allCases)
  func `controller 0 selects them in every bank mode`(mode: BankMode) {
    #expect(bank(mode, upper: 5) == 5)
    #expect(bank(mode, upper: 5, program: 2) == bank(mode, upper: 5, program: 2, own: OwnPresets()))
    #expect(bank(mode, upper: 0) == 0)
  }

  @Test func `the preset of the bank mode, or of bank 0, has precedence`() {
    #expect(bank(.gm, upper: 6, program: 7) == 0)
    #expect(bank(.xg, upper: 6, lower: 9, program: 7) == 9)
    #expect(bank(.gs, upper: 6, program: 7) == 6)
  }

  @Test func `controller 32 selects them only in files that use it`() {
    var presets = Self.own
    #expect(bank(.gs, upper: 0, lower: 5) == 0)
    presets.hasLowerBanks = true
    #expect(bank(.gs, upper: 0, lower: 5, own: presets) == 5)
    #expect(bank(.gm, upper: 0, lower: 5, own: presets) == 5)
  }

  @Test func `kits and impossible numbers are left out`() {
    #expect(Self.own.numbers == [5 << 7 | 1, 7, 6 << 7 | 7])
    #expect(!Self.own.isEmpty && OwnPresets().isEmpty)
  }
}
