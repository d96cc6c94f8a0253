// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// A cutoff that jumps by octaves at once, compared with a filter in double precision whose state
/// is the energy it holds: a trapezoidal state-variable filter with the cutoff moved in each frame.
///
/// FluidSynth is not a reference here: for the jumps below, version 2.3.1 differs from this filter
/// by −10 dB with peaks of 5.5 times, version 2.6.1 by −14 dB and 1.6 times; Downbeat's voices by
/// −23 dB, and 1.4 times when the cutoff falls.
@Suite struct FilterJumpTests {
  private typealias Cue = Tone.Cue

  /// The quanta of the jumps, and the new cutoffs in cents.
  private static let jumps: [(quantum: Int, cents: Double)] = [
    (20, 5500), (70, 3500), (120, 9500), (170, 6500), (220, 10_500), (270, 4500), (320, 11_000),
  ]
  private static let first = 11_000.0
  private static let quanta = 400

  /// A sawtooth at full level, through a zone with a cutoff that the cues change.
  private func sound(_ cutoff: Int, _ cues: [Cue]) throws -> [Double] {
    let seconds = Double(Self.quanta) / Double(Tone.quanta)
    let tone = try Tone(zones: [[(8, cutoff)]], cues, seconds: seconds) { font in
      font.data = (0..<1046).flatMap { frame -> [UInt8] in
        let value = frame < 1000 ? 240 * (frame % 100) - 12_000 : 0
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
    }
    return tone.left.map(Double.init)
  }

  /// The NRPN of a soundfont's generator: an offset in steps of 2 cents.
  private static var cues: [Cue] {
    jumps.flatMap { jump in
      let entry = Int((jump.cents - first) / 2) + 8192
      return [(99, 120), (98, 8), (38, entry & 127), (6, entry >> 7)].map { number, value in
        Cue(jump.quantum, 0xB0, UInt8(number), UInt8(value))
      }
    }
  }

  /// The state-variable filter's output for a sound.
  private static func filtered(_ sound: [Double]) -> [Double] {
    func hertz(_ cents: Double) -> Double { 8.175_798_915_643_707 * exp2(cents / 1200) }
    let damping = pow(10, 3.01 / 20)
    var (first, second, before) = (0.0, 0.0, first)
    var out: [Double] = []
    for quantum in 0..<quanta {
      let cents = jumps.last { $0.quantum <= quantum }?.cents ?? before
      for frame in 0..<64 {
        let part = Double(frame) / 64
        let g = tan(.pi * (hertz(before) * (1 - part) + hertz(cents) * part) / Double(Tone.hertz))
        let scale = 1 / (1 + g * (g + damping))
        let rest = sound[64 * quantum + frame] - second
        let band = scale * (first + g * rest)
        let low = second + g * band
        (first, second) = (2 * band - first, 2 * low - second)
        out.append(low)
      }
      before = cents
    }
    return out
  }

  private static func power(_ sound: ArraySlice<Double>) -> Double {
    sound.reduce(1e-20) { $0 + $1 * $1 }
  }

  @Test func `a cutoff that jumps by octaves overshoots no more than an exact filter`() throws {
    let ours = try sound(Int(Self.first), Tone.note() + Self.cues)
    let wanted = Self.filtered(try sound(13_500, Tone.note()))
    let rest = zip(ours, wanted).map { $0 - $1 }
    let whole = 10 * log10(Self.power(rest[384...]) / Self.power(wanted[384...]))
    Duet.tell("jumps of the cutoff, from an exact filter", whole)
    #expect(whole < -20)
    for jump in Self.jumps {
      let window = 64 * jump.quantum..<64 * (jump.quantum + 16)
      let off = 10 * log10(Self.power(rest[window]) / Self.power(wanted[window]))
      let (own, most) = (
        ours[window].map(abs).max() ?? 0, wanted[window].map(abs).max() ?? 0
      )
      Duet.tell("to \(jump.cents) cents, \(own / most) of its height", off)
      #expect(off < -10, "to \(jump.cents) cents")
      #expect(own < 1.4 * most, "to \(jump.cents) cents")
    }
  }
}
