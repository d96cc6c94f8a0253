// SPDX-License-Identifier: Apache-2.0
internal import SoundFontInstruments

extension [InstrumentUnit] {
  /// The effects that songs request and Downbeat's own voices do not have, without duplicates.
  var missingEffects: [RequestedEffect] { flatMap(\.missingEffects).distinct }
}
