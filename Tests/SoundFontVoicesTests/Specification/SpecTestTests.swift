// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// The SoundFont Spec Test and the test of filter NRPNs, by their figures.
///
/// `make fidelity` measures more of them.
@Suite(
  .serialized,
  .enabled(if: SpecTestSong.isThere, "needs the folder that DOWNBEAT_FIDELITY names"))
struct SpecTestTests {
  private static let song = Result { try SpecTestSong.tone("sf_spec_test", until: 264) }

  private func song() throws -> Tone { try Self.song.get() }

  /// The levels of tones that begin half a second apart.
  private func levels(of count: Int, from start: Double, in song: Tone) -> [Double] {
    (0..<count).map { index in
      let begin = start + 0.5 * Double(index)
      return song.level(begin + 0.1, begin + 0.35)
    }
  }

  @Test func `1: the sustain level, decay and release of the volume envelope`() throws {
    let song = try song()
    #expect(abs(song.level(5, 5.2) - song.level(4, 4.2) + 12) < 0.1)
    // 96 dB per second.
    #expect(abs(song.level(4.6, 4.61) - song.level(4.55, 4.56) + 4.8) < 0.1)
    #expect(abs(song.level(6.9, 6.91) - song.level(6.6, 6.61) + 28.8) < 0.58)
  }

  @Test func `2: the modulation envelope`() throws {
    let song = try song()
    let base = try #require(song.cents(9.6, 9.8))
    #expect(abs(try #require(song.cents(11.7, 12.3)) - base - 1200) < 1)
    #expect(abs(try #require(song.cents(13.2, 14.2)) - base - 600) < 1)
  }

  @Test(arguments: [42, 46.5]) func `5: a tremolo of 6 dB moves the level by 12`(
    start: Double
  ) throws {
    let song = try song()
    let period = 1 / 370.05
    let levels = (0..<900).map { step in
      let begin = start + 0.3 + Double(step) * period
      return song.level(begin, begin + period)
    }
    #expect(abs((levels.max() ?? 0) - (levels.min() ?? 0) - 12) < 0.4)
  }

  @Test(arguments: [61.1, 62.1, 63.1]) func `8: scale tuning`(start: Double) throws {
    let hertz = try #require(try song().frequency(start, start + 0.3))
    #expect(abs(1200 * log2(hertz / 370.05)) < 1)
  }

  @Test func `11 and 12: attenuation, also if a preset reduces it`() throws {
    let song = try song()
    for (start, step) in [(85.5, -2.0), (91, 0)] {
      let levels = levels(of: 7, from: start, in: song)
      for index in 0..<7 {
        #expect(abs(levels[index] - levels[0] - step * Double(index)) < 0.1, "tone \(index + 1)")
      }
    }
  }

  @Test(arguments: [(97.5, 40.0), (103.5, 60), (109.5, 20), (121.5, 0)])
  func `13: velocity to attenuation`(start: Double, depth: Double) throws {
    let song = try song()
    let levels = levels(of: 8, from: start, in: song)
    for (index, velocity) in [127.0, 111, 95, 79, 63, 47, 31, 15].enumerated() {
      #expect(abs(levels[index] - levels[0] - depth * log10(velocity / 127)) < 0.1)
    }
  }

  @Test func `21: an exclusive class ends a voice within 250 ms`() throws {
    let song = try song()
    #expect(song.level(262.375, 262.425) < song.level(262.05, 262.12) - 80)
  }

  /// The power in a narrow band around a frequency, which shows a filter's resonance in the noise.
  private func power(_ song: Tone, _ start: Double, _ hertz: Double) -> Double {
    let frames = song.left[Int(start * Double(Tone.hertz))...].prefix(16_000).map { Double($0) }
    var sum = 0.0
    for step in -5...5 {
      let angle = 2 * Double.pi * (hertz * exp2(Double(step) / 50)) / Double(Tone.hertz)
      var (real, imaginary) = (0.0, 0.0)
      for (index, frame) in frames.enumerated() {
        real += frame * cos(angle * Double(index))
        imaginary += frame * sin(angle * Double(index))
      }
      sum += real * real + imaginary * imaginary
    }
    return sum
  }

  @Test func `NRPN 3: the steps of the filter's cutoff`() throws {
    let song = try SpecTestSong.tone("nrpn/filter_NRPN_test", until: 29)
    let cutoffs: [Double] = [100, 371, 1377, 5108]
    for (step, cutoff) in zip([0, 3, 6, 9], cutoffs) {
      let start = 12.55 + 1.5 * Double(step)
      let own = power(song, start, cutoff)
      // The power is lower 0.4 octaves away.
      for aside in [exp2(-0.4), exp2(0.4)] {
        #expect(power(song, start, cutoff * aside) < own, "step \(step + 1)")
      }
    }
  }
}
