// SPDX-License-Identifier: Apache-2.0

/// A change of a generator while a note sounds, by a controller or by the note's key or velocity.
///
/// Source: SoundFont 2.04, sections 8.2 to 8.4 and 9.5.
struct Modulator: BitwiseCopyable, Hashable {
  /// The two sources as in the font: bits 0…6 are the index, bit 7 is 1 for a MIDI controller, bit
  /// 8 is the direction (1: from highest to lowest), bit 9 the polarity (1: −1…1), bits 10…15 the
  /// curve.
  var source: UInt16
  var amountSource: UInt16
  /// The generator that is changed.
  var generator: UInt16
  /// 0 is linear, 2 uses the absolute value.
  var transform: UInt16
  /// The amount, in the generator's unit.
  var amount: Float
}
