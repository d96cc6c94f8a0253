// SPDX-License-Identifier: Apache-2.0

/// The noise that is added before a sample is rounded to fewer bits.
public enum Dither: String, Hashable, Sendable, CaseIterable {
  /// No noise is added.
  ///
  /// The rounding error is then a distortion that depends on the sound.
  case none
  /// Noise with a triangular distribution of ±1 step is added.
  ///
  /// The rounding error becomes a steady noise, independent of the sound, with a level of −4.8 dB
  /// relative to one step.
  case triangular
}

/// Generates noise of triangular density, always the same sequence.
struct DitherNoise {
  // The constants of a 64-bit linear congruence, whose upper bits are used.
  // Source: Knuth's MMIX.
  private var state: UInt64 = 1

  /// The next value, −1…1 steps.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let one = Int64(state >> 40)
    let other = Int64((state >> 16) & 0xFF_FFFF)
    return Double(one - other) * 0x1p-24
  }
}
