// SPDX-License-Identifier: Apache-2.0
import CSoundFontVoices
import Foundation
import Testing

@testable import SoundFontVoices

/// Samples read by a windowed sinc.
@Suite(.serialized) struct QualityTests {
  private typealias Cue = Tone.Cue

  /// A sine of eight frames per period, 5,500 Hz at key 69.
  private func tone(_ key: UInt8, _ quality: VoiceQuality) throws -> Tone {
    try Tone(Tone.note(key), seconds: 0.5, quality: quality) { font in
      font.data = (0..<1046).flatMap { frame -> [UInt8] in
        let value =
          frame < 1000 ? Int((12_000 * sin(2 * .pi * Double(frame) / 8)).rounded()) : 0
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
    }
  }

  /// The level of the rest of a sound without its sine at a frequency, in decibels relative to the
  /// sine.
  private func rest(_ tone: Tone, _ hertz: Double) -> Double {
    let frames = tone.left[4800..<24_000].map { Double($0) }
    let angle = 2 * Double.pi * hertz / Double(Tone.hertz)
    // A least-squares fit of a cosine and a sine.
    var (real, imaginary, power) = (0.0, 0.0, 0.0)
    var (cosines, sines, both) = (0.0, 0.0, 0.0)
    for (index, frame) in frames.enumerated() {
      let (x, y) = (cos(angle * Double(index)), sin(angle * Double(index)))
      real += frame * x
      imaginary += frame * y
      power += frame * frame
      cosines += x * x
      sines += y * y
      both += x * y
    }
    let divisor = cosines * sines - both * both
    let a = (real * sines - imaginary * both) / divisor
    let b = (imaginary * cosines - real * both) / divisor
    let sine = a * real + b * imaginary
    return 10 * log10(max((power - sine) / sine, 1e-12))
  }

  @Test(arguments: [57, 64, 69, 72, 81] as [UInt8])
  func `images are at least 40 dB lower than with the cubic`(key: UInt8) throws {
    let hertz = 5500 * exp2((Double(key) - 69) / 12)
    let (usual, best) = (rest(try tone(key, .usual), hertz), rest(try tone(key, .best), hertz))
    #expect(best < usual - 40, "\(usual) dB, \(best) dB")
  }

  @Test func `both have the same level, loop and end`() throws {
    for loop in [1, 0] {
      let zone = [[(54, loop)]]
      let cues = Tone.note(69, to: 0.3)
      let usual = try Tone(zones: zone, cues, seconds: 0.5)
      let best = try Tone(zones: zone, cues, seconds: 0.5, quality: .best)
      #expect(abs(usual.level(0, 0.02) - best.level(0, 0.02)) < 0.1)
      #expect(abs(usual.level(0.1, 0.3) - best.level(0.1, 0.3)) < 0.1)
      #expect(best.level(0.4, 0.5) == -240)
    }
  }

  @Test func `both kinds of loops give the same bytes`() throws {
    defer { _ = cvoices_choose(1) }
    _ = cvoices_choose(0)
    let plain = try tone(76, .best).left
    guard cvoices_choose(1) != 0 else { try Test.cancel("no wide registers") }
    #expect(try tone(76, .best).left == plain)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `random messages give finite samples, in loops and steps of all kinds`(seed: UInt64) throws {
    let duet = try Duet(Duet.own, polyphony: 64)
    let sound = duet.ours(
      RandomCues.make(seed: seed, quanta: 400), quanta: 600, quality: .best)
    #expect(sound.joined().allSatisfy { $0.isFinite })
  }
}
