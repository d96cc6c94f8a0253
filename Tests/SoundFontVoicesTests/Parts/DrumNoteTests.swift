// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// Drum notes of GS and XG on a sine of 440 Hz at key 69 in a kit.
@Suite struct DrumNoteTests {
  private typealias Cue = Tone.Cue

  private func edit(_ parameter: NoteParameter, _ value: UInt8, map: Int = 0) -> Cue {
    var cue = Cue(0, 0xF0, 0)
    cue.note = (parameter, value, 69, map)
    return cue
  }

  private var note: [Cue] {
    [Cue(0, 0xB9, 7, 127), Cue(0, 0xB9, 11, 127), Cue(0, 0x99, 69, 127)]
  }

  private func tone(_ cues: [Cue]) throws -> Tone {
    try Tone(bank: 128, cues + note, seconds: 0.5)
  }

  @Test(arguments: [(76, 1200), (52, -1200), (64, 0)] as [(UInt8, Double)])
  func `the pitch is in semitones`(value: UInt8, cents: Double) throws {
    let heard = try #require(try tone([edit(.pitch, value)]).cents(0.1, 0.4))
    #expect(abs(heard - cents) < 1)
  }

  @Test func `the level is a fraction of the soundfont's, the pan is absolute`() throws {
    let plain = try tone([]).level(0.1, 0.4)
    #expect(abs(try tone([edit(.level, 64)]).level(0.1, 0.4) - plain + 5.95) < 0.1)
    #expect(try tone([edit(.level, 0)]).level(0.1, 0.4) < -100)
    #expect(try tone([edit(.pan, 127)]).level(0.1, 0.4) < -60)
    #expect(abs(try tone([edit(.pan, 1)]).level(0.1, 0.4) - plain - 3.01) < 0.1)
  }

  @Test func `settings affect the drum notes of their map only`() throws {
    let plain = try tone([]).level(0.1, 0.4)
    #expect(try tone([edit(.level, 0, map: 1)]).level(0.1, 0.4) == plain)
    #expect(try tone([edit(.receivesOn, 0)]).level(0.1, 0.4) < -100)
    let melodic = try Tone([edit(.level, 0)] + Tone.note(), seconds: 0.5).level(0.1, 0.4)
    #expect(melodic > -40)
  }

  @Test func `numbers of parameters and addresses identify the same parameters`() {
    for (coarse, gs, xg) in [
      (0x1A, 2, 2), (0x1C, 4, 4), (0x1D, 5, 5), (0x1E, 6, 6), (0x1F, 9, 7),
    ] {
      let name = "\(NoteParameter(nonRegistered: coarse) as Any)"
      #expect("\(NoteParameter(gs: gs) as Any)" == name)
      #expect("\(NoteParameter(xg: xg) as Any)" == name)
    }
  }
}
