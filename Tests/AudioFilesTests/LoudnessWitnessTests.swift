// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The meter with which other tests measure, on signals of EBU Tech 3341, shortened.
@Suite struct LoudnessWitnessTests {
  private func tone(_ parts: [(seconds: Double, decibels: Double)]) -> [[Float]] {
    let wave = parts.flatMap { part in
      (0..<Int(48_000 * part.seconds)).map { index in
        Float(pow(10, part.decibels / 20) * sin(2 * .pi * 1000 * Double(index) / 48_000))
      }
    }
    return [wave, wave]
  }

  @Test func `a tone of 1 kHz at -23 dB in both channels has -23 LUFS`() throws {
    let meter = LoudnessWitness(tone([(2, -23)]))
    #expect(abs(try #require(meter.integrated) + 23) < 0.1)
    #expect(abs(meter.momentary + 23) < 0.1)
  }

  @Test func `sound that is more than 10 LU softer is ignored`() throws {
    let meter = LoudnessWitness(tone([(1, -72), (2, -36), (20, -23), (2, -36)]))
    #expect(abs(try #require(meter.integrated) + 23) < 0.1)
  }

  @Test func `the loudness of silence is nil`() {
    #expect(LoudnessWitness([[Float](repeating: 0, count: 48_000)]).integrated == nil)
  }
}
