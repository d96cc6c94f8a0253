// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// The effect of a filter with high resonance on levels.
@Suite struct ResonanceTests {
  @Test func `a resonance falls with the release of its note`() throws {
    // A cutoff of 440 Hz, a resonance of 96 dB, a release of 0.4 s for 96 dB.
    let zone = [(8, 6900), (9, 960), (38, -1586)]
    let tone = try Tone(zones: [zone], Tone.note(to: 1), seconds: 1.5)
    let fall = tone.level(1.095, 1.105) - tone.level(0.95, 0.99)
    #expect(fall < -20)
    #expect(fall > -30)
  }

  @Test(arguments: [0, 100, 200, 400, 960])
  func `a jumping cutoff raises a voice by at most 12 dB above full scale`(
    resonance: Int
  ) throws {
    let jumps = (0..<200).flatMap { step in
      [
        Tone.Cue(3 * step, 0xB0, 99, 127), Tone.Cue(3 * step, 0xB0, 98, 21),
        Tone.Cue(3 * step, 0xB0, 38, step % 2 == 0 ? 0 : 127),
      ]
    }
    let tone = try Tone(zones: [[(9, resonance)]], Tone.note() + jumps, seconds: 0.8)
    let most = tone.left.map(abs).max() ?? 0
    #expect(most <= 4.0001)
    #expect(most > 0)
  }

  @Test func `a part's level, a tremolo and a resonance together raise a voice by at most 12 dB`()
    throws
  {
    let depths = ([.modulation, .pressure, .first] as [ControlSource]).map { source in
      var cue = Tone.Cue(0, 0xF0, 0)
      cue.part = (.depth(source, .amplitude), 127)
      return cue
    }
    let full = [
      Tone.Cue(1, 0xB0, 1, 127), Tone.Cue(1, 0xD0, 127), Tone.Cue(1, 0xB0, 16, 127),
      Tone.Cue(300, 0xB0, 1, 0), Tone.Cue(300, 0xD0, 0), Tone.Cue(301, 0xD0, 127),
    ]
    for resonance in [0, 100, 300, 960] {
      let zone = [(8, 6900), (9, resonance), (13, 120), (22, 0)]
      let tone = try Tone(zones: [zone], depths + Tone.note() + full, seconds: 0.8)
      let most = tone.left.map(abs).max() ?? 0
      #expect(most <= 4.0001, "\(resonance) cB")
      #expect(most > 1, "\(resonance) cB")
    }
  }

  @Test func `ringing that outlasts its resonance is bounded`() throws {
    // 36 dB of resonance, then none, at the tone's pitch; a sample at full scale.
    let changes = (0..<13).flatMap { step -> [Tone.Cue] in
      let entry = (step % 2 == 0 ? 360 : 0) + 8192
      return [(99, 120), (98, 9), (38, entry & 127), (6, entry >> 7)].map { number, value in
        Tone.Cue(40 * step, 0xB0, UInt8(number), UInt8(value))
      }
    }
    let tone = try Tone(zones: [[(8, 6900)]], Tone.note() + changes, seconds: 0.7) { font in
      font.data = (0..<1046).flatMap { frame -> [UInt8] in
        let value = frame < 1000 ? Int(32_767 * sin(2 * .pi * Double(frame) / 100)) : 0
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
    }
    let most = tone.left.map(abs).max() ?? 0
    #expect(most <= 4.0001)
    #expect(most > 2)
  }
}
