// SPDX-License-Identifier: Apache-2.0

/// Random names from a seed, so that a node is deterministic.
///
/// Source: SplitMix64 (Steele, Lea, Flood, 2014).
struct LinkRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func id() -> LinkID { LinkID(bits: next()) }

  /// A name that is lower than 255 of 256 others.
  mutating func lesserID() -> LinkID { LinkID(bits: next() >> 8) }
}
