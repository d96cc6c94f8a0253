// SPDX-License-Identifier: Apache-2.0

/// A seeded source of pseudo-random numbers (SplitMix64), the same on every machine.
struct RandomSource {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0 ..< 1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number in -1 ..< 1.
  mutating func bipolar() -> Double { 2 * uniform() - 1 }

  /// A number with nearly normal distribution, mean 0, deviation 1.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}
