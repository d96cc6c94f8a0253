// SPDX-License-Identifier: Apache-2.0

/// One SoundFont modulator: a controller that moves a generator.
struct Modulator {
  let source: UInt16
  let target: Generator
  let amount: Int

  /// Velocity, linear, highest at 0: what it takes away from the filter of soft notes.
  static func velocityToFilter(_ cents: Int) -> Modulator {
    Modulator(source: 0x0102, target: .filterCutoff, amount: cents)
  }

  /// Key number, linear and 0 at key 64: higher notes open the filter.
  static func keyToFilter(_ cents: Int) -> Modulator {
    Modulator(source: 0x0203, target: .filterCutoff, amount: cents)
  }
}
