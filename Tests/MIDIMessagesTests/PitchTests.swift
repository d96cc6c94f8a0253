// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import Testing

/// Pitches, against the C library's logarithms.
@Suite struct PitchTests {
  @Test func `a frequency gives the step that the C library's logarithm is nearest to`() throws {
    for index in 0..<20_000 {
      let hertz = 8.2 * pow(13_280 / 8.2, Double(index) / 20_000)
      let steps = (69 + 12 * log2(hertz / 440)) * 16_384
      let pitch = try #require(Pitch(hertz: hertz))
      #expect(abs(Double(pitch.steps) - steps) < 0.501, "\(hertz) Hz")
      #expect(abs(pitch.hertz() / hertz - 1) < 2e-6)
    }
  }

  @Test func `every step is recovered from its frequency`() throws {
    for steps in stride(from: Int32(0), to: 2_097_151, by: 97) {
      let pitch = try #require(Pitch(steps: steps))
      #expect(Pitch(hertz: pitch.hertz(concertPitch: 442), concertPitch: 442) == pitch)
      #expect(Pitch(pitch.nearestKey, cents: pitch.cents) == pitch)
    }
  }

  @Test func `keys are exact, and what is out of range is nil`() throws {
    #expect(Pitch(69) == Pitch(hertz: 440))
    #expect(Pitch(69).hertz() == 440)
    #expect(Pitch(57).hertz() == 220)
    let quarter = try #require(Pitch(60, cents: 50))
    #expect(quarter.nearestKey == 61)
    #expect(quarter.cents == -50)
    #expect(Pitch(60) < quarter)
    #expect(Pitch(0, cents: -1) == nil)
    #expect(Pitch(127, cents: 100) == nil)
    #expect(Pitch(60, cents: .nan) == nil)
    #expect(Pitch(hertz: 0) == nil)
    #expect(Pitch(hertz: .infinity) == nil)
    #expect(Pitch(hertz: .nan) == nil)
    #expect(Pitch(hertz: .leastNonzeroMagnitude) == nil)
    #expect(Pitch(hertz: 440, concertPitch: 0) == nil)
    #expect(Pitch(steps: 2_097_151) == nil)
    #expect(Pitch(steps: -1) == nil)
  }
}
