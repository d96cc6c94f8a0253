// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// Tests for the effect of bank select and program change in each bank mode.
@Suite struct ProgramChoiceTests {
  private func choice(
    _ upper: UInt8?, _ lower: UInt8?, _ program: UInt8, in mode: BankMode, drums: Bool = false
  ) -> ProgramChoice {
    var choice = ProgramChoice(isDrums: drums)
    if let upper { choice.receive(upper: upper) }
    if let lower { choice.receive(lower: lower) }
    choice.select(program, in: mode)
    return choice
  }

  private func candidates(_ choice: ProgramChoice) -> [[Int]] {
    (0..<ProgramChoice.candidateCount).map { place in
      [choice.candidate(place).bank, choice.candidate(place).program]
    }
  }

  @Test(
    arguments: [
      (.auto, 8, 3, 8), (.gs, 8, 3, 8), (.gs, nil, 3, 0), (.gm, 8, 3, 0), (.gm, 121, 1, 0),
      (.xg, 0, 3, 3), (.xg, 64, 0, 64), (.xg, 121, 0, 0), (.xg, nil, 5, 5), (.gm2, 121, 2, 2),
      (.gm2, nil, 2, 2),
    ] as [(BankMode, UInt8?, UInt8?, UInt8)])
  func `a melodic bank is read by the mode`(
    mode: BankMode, upper: UInt8?, lower: UInt8?, bank: UInt8
  ) {
    let choice = choice(upper, lower, 48, in: mode)
    #expect(!choice.isDrums)
    #expect(choice.bank == bank)
    #expect(candidates(choice) == [[Int(bank), 48], [0, 48], [0, 0]])
  }

  @Test(
    arguments: [
      (.xg, 127, 128), (.xg, 126, 126), (.gm2, 120, 128),
    ] as [(BankMode, UInt8, UInt8)])
  func `a bank of kits makes a channel drums`(mode: BankMode, upper: UInt8, bank: UInt8) {
    let choice = choice(upper, 0, 16, in: mode)
    #expect(choice.isDrums)
    #expect(candidates(choice) == [[Int(bank), 16], [128, 16], [128, 0]])
  }

  @Test(
    arguments: [
      (.auto, 120), (.auto, 127), (.gs, 127), (.gm, 120), (.gm, 127), (.xg, 120), (.gm2, 127),
    ] as [(BankMode, UInt8)])
  func `other banks make no drums`(mode: BankMode, upper: UInt8) {
    #expect(!choice(upper, 0, 16, in: mode).isDrums)
  }

  @Test(
    arguments: [
      (.auto, 8, true), (.gm, 0, true), (.gs, 0, true), (.xg, 0, false), (.gm2, 0, true),
      (.gm2, 121, false), (.xg, nil, true), (.gm2, nil, true),
    ] as [(BankMode, UInt8?, Bool)])
  func `channel 10 becomes melodic only by a bank of XG or GM2`(
    mode: BankMode, upper: UInt8?, isDrums: Bool
  ) {
    let choice = choice(upper, 0, 16, in: mode, drums: true)
    #expect(choice.isDrums == isDrums)
    #expect(choice.bank == (isDrums ? 128 : 0))
  }

  @Test func `a bank waits for its program, and stays for the next`() {
    var choice = ProgramChoice(isDrums: false)
    choice.select(48, in: .gs)
    choice.receive(upper: 8)
    #expect(choice.bank == 0)
    choice.select(48, in: .gs)
    #expect(choice.bank == 8)
    choice.select(49, in: .gs)
    #expect(choice.bank == 8)
  }

  @Test func `a bank that waits outlives a reset, one that was chosen does not`() {
    var choice = ProgramChoice(isDrums: false)
    choice.receive(upper: 8)
    choice.reset(isDrums: false)
    choice.select(48, in: .gs)
    #expect(choice.bank == 8)
    choice.reset(isDrums: false)
    choice.select(48, in: .gs)
    #expect(choice.bank == 0)
    choice.receive(upper: 127)
    choice.reset(isDrums: false)
    choice.select(0, in: .xg)
    #expect(choice.isDrums)
  }

  @Test func `a rhythm part stays one when its program changes`() {
    var choice = choice(0, 0, 48, in: .xg)
    choice.setDrums(true)
    #expect(candidates(choice)[0] == [128, 0])
    choice.select(16, in: .xg)
    #expect(choice.isDrums)
    #expect(candidates(choice)[0] == [128, 16])
    choice.setDrums(false)
    choice.select(16, in: .xg)
    #expect(candidates(choice)[0] == [0, 16])
  }

  @Test func `auto begins by the rules of GS and follows resets, a fixed mode does not`() {
    #expect(BankMode.auto.initial == .gs)
    #expect(BankMode.auto.after(.xg) == .xg)
    #expect(BankMode.xg.initial == .xg)
    #expect(BankMode.xg.after(.gm) == .xg)
  }
}
