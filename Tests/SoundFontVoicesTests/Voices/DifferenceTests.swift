// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import Testing

@testable import SoundFontVoices

/// The difference between Downbeat's sound and FluidSynth's.
///
/// Programs with tremolo, and those whose pitch moves, are left out: FluidSynth 2.3 only lowers the
/// level, and its pitches are in whole cents.
@Suite(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
struct DifferenceTests {
  typealias Cue = Duet.Cue

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: Duet.fluidR3), "needs fluid-soundfont-gm"))
  func `notes of every program of FluidR3 sound as in FluidSynth`() throws {
    try compareAllPrograms(Duet(Duet.fluidR3))
  }

  @Test func `notes of every program of Downbeat's font sound as in FluidSynth`() throws {
    try compareAllPrograms(Duet(Duet.own))
  }

  private func compareAllPrograms(_ duet: Duet) throws {
    for program in UInt8(0)..<128 {
      let patch = duet.bank.patch(bank: 0, program: Int(program))
      let isStill = { (region: Region) in
        [5, 6, 7, 13].allSatisfy { region.generators[$0] == 0 }
      }
      guard patch >= 0, duet.bank.list(patch).allSatisfy(isStill) else { continue }
      let cues = [
        Cue(0, 0xC0, program), Cue(0, 0x90, 60, 100), Cue(3, 0x90, 67, 60), Cue(10, 0x90, 40, 127),
        Cue(180, 0x80, 60), Cue(250, 0x80, 67), Cue(251, 0x80, 40),
      ]
      let decibels = try duet.difference(cues, quanta: 450)
      Duet.tell("program \(program + 1)", decibels)
      #expect(decibels < -25, "program \(program + 1)")
    }
  }
}
