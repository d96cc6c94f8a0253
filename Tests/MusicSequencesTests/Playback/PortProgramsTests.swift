// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import Testing

/// The presets that a song's messages choose.
@Suite struct PortProgramsTests {
  private static let gm: [UInt8] = [0x7E, 0x7F, 9, 1]
  private static let gmOff: [UInt8] = [0x7E, 0x7F, 9, 2]
  private static let gm2: [UInt8] = [0x7E, 0x7F, 9, 3]
  private static let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
  private static let xg: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]
  private static let part: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19]

  private func bank(_ steps: [[UInt8]], _ mode: BankMode = .auto) -> [Int] {
    var programs = PortPrograms(mode)
    for step in steps {
      if step[0] & 0xF0 == 0xB0 || step[0] & 0xF0 == 0xC0 {
        programs.take(Message(status: step[0], data1: step[1], data2: step.count > 2 ? step[2] : 0))
      } else {
        programs.take(sysEx: step[...])
      }
    }
    let (bank, program) = programs[Channel(index: 0)].candidate(0)
    return [bank, program]
  }

  private let select: [[UInt8]] = [[0xB0, 0, 8], [0xB0, 32, 3], [0xC0, 48]]

  @Test func `the last reset sets the rules`() {
    #expect(bank(select) == [8, 48])
    #expect(bank([Self.gm] + select) == [0, 48])
    #expect(bank([Self.gm, Self.gs] + select) == [8, 48])
    #expect(bank([Self.gm, Self.gmOff] + select) == [8, 48])
    #expect(bank([Self.xg] + select) == [3, 48])
    #expect(bank([Self.gm2] + select) == [3, 48])
    #expect(bank([Self.xg] + select, .gs) == [8, 48])
    #expect(bank([Self.gs] + select, .gm) == [0, 48])
  }

  @Test func `a reset takes the program back, not a bank that waits`() {
    #expect(bank(select + [Self.gs]) == [0, 0])
    #expect(bank(select + [Self.gs, [0xC0, 48]]) == [0, 48])
    #expect(bank([select[0], Self.gs, [0xC0, 48]]) == [8, 48])
    #expect(bank([Self.gm, select[0], Self.gs, [0xC0, 48]]) == [8, 48])
  }

  @Test func `a rhythm part has kits`() {
    #expect(bank([Self.part]) == [128, 0])
    #expect(bank([Self.part, [0xB0, 0, 8], [0xC0, 48]]) == [128, 48])
  }
}
