// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontVoices

/// What a filter of high resonance does to levels.
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
  func `a cutoff that jumps raises a voice by at most 12 dB above full scale`(
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
}
