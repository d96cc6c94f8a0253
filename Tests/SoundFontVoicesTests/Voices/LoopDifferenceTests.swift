// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import TestSupport
import Testing

@testable import SoundFontVoices

/// Loops that end with the note, or are read in large steps, compared with FluidSynth.
@Suite(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
struct LoopDifferenceTests {
  private typealias Cue = Duet.Cue

  /// A font of noise with a loop until the note is released, and frames after it.
  private func duet(_ scratch: ScratchFolder, _ loop: (Int, Int)) throws -> Duet {
    var random = SplitMix(seed: 3)
    var font = FontBuilder(
      // A release of two seconds.
      instrument: [FontBuilder.Zone([(54, 3), (38, 1200), (53, 0)])],
      samples: [FontBuilder.Sample(place: 0..<20_000, loop: loop)])
    font.data =
      (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      + [UInt8](repeating: 0, count: 92)
    return try Duet(scratch.write("font.sf2", font.bytes))
  }

  /// For a loop of two frames, FluidSynth also plays a third, the next one; Downbeat's voices do
  /// not.
  @Test(arguments: [60, 79, 80, 84, 91, 96, 103, 108, 120, 127] as [UInt8], [3, 7, 100, 601])
  func `a loop ends in the same round as in FluidSynth, however high the key`(
    key: UInt8, length: Int
  ) throws {
    let scratch = try ScratchFolder()
    let duet = try duet(scratch, (500, 500 + length))
    for end in 12..<40 {
      let cues = [Cue(0, 0x90, key, 100), Cue(end, 0x80, key)]
      let decibels = try duet.difference(cues, quanta: 160)
      #expect(decibels < -35, "let go at quantum \(end)")
    }
  }
}
