// SPDX-License-Identifier: Apache-2.0

/// The noise that is added before a sample is rounded to fewer bits.
public enum Dither: String, Hashable, Sendable, CaseIterable {
  /// None: what is rounded off is distortion that follows the sound.
  case none
  /// Noise of triangular density, two steps wide from end to end: what is rounded off becomes a
  /// steady noise of its own, at −4.8 dB of one step, that does not follow the sound.
  case triangular
}

/// The noise of triangular density; the same from a seed every time.
struct DitherNoise {
  // The constants of a 64-bit linear congruence, whose upper bits are used.
  // Source: Knuth's MMIX.
  private var state: UInt64 = 1

  /// The next number, −1…1.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let one = Int64(state >> 40)
    let other = Int64((state >> 16) & 0xFF_FFFF)
    return Double(one - other) * 0x1p-24
  }
}
