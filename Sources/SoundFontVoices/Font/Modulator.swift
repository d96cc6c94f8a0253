// SPDX-License-Identifier: Apache-2.0

/// What moves a generator while a note sounds: a controller, or the note's own key or velocity.
///
/// Source: SoundFont 2.04, sections 8.2 to 8.4 and 9.5.
struct Modulator: BitwiseCopyable, Hashable {
  /// The two sources as the font has them: bits 0…6 the index, bit 7 whether it is a controller of
  /// MIDI, bit 8 direction (1: from highest to lowest), bit 9 polarity (1: −1…1), bits 10…15 curve.
  var source: UInt16
  var amountSource: UInt16
  /// The generator it moves.
  var generator: UInt16
  /// 0 as it is, 2 its absolute value.
  var transform: UInt16
  /// How far it moves it, in the generator's unit.
  var amount: Float
}
