// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Random messages of all kinds, the same for the same seed.
enum RandomCues {
  /// About one message per quantum, most of them notes.
  static func make(seed: UInt64, quanta: Int, notes: Int = 60) -> [Duet.Cue] {
    var random = SplitMix(seed: seed)
    var cues: [Duet.Cue] = []
    for channel in UInt8(0)..<16 { cues.append(Duet.Cue(0, 0xC0 | channel, byte(&random))) }
    for quantum in 0..<quanta {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        cues.append(cue(quantum, notes, &random))
      }
    }
    return cues
  }

  private static func byte(_ random: inout SplitMix) -> UInt8 {
    UInt8.random(in: 0...127, using: &random)
  }

  private static func cue(_ quantum: Int, _ notes: Int, _ random: inout SplitMix) -> Duet.Cue {
    let channel = UInt8.random(in: 0...15, using: &random)
    let key = UInt8.random(in: 30...90, using: &random)
    let value = byte(&random)
    let chance = Int.random(in: 0..<100, using: &random)
    if chance < notes / 2 { return Duet.Cue(quantum, 0x90 | channel, key, max(1, value)) }
    if chance < notes { return Duet.Cue(quantum, 0x80 | channel, key) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return Duet.Cue(quantum, 0xE0 | channel, byte(&random), value)
    case 1: return Duet.Cue(quantum, 0xC0 | channel, value)
    case 2: return Duet.Cue(quantum, 0xD0 | channel, value)
    case 3: return Duet.Cue(quantum, 0xA0 | channel, key, value)
    default:
      let usual: [UInt8] = [
        0, 1, 5, 6, 7, 8, 10, 11, 32, 38, 64, 64, 65, 66, 68, 71, 74, 84, 91, 93, 98, 99, 100, 101,
        120, 121, 123, 126, 127, 2, 66, 67,
      ]
      let number = usual[Int.random(in: 0..<usual.count, using: &random)]
      return Duet.Cue(quantum, 0xB0 | channel, number, value)
    }
  }
}
