// SPDX-License-Identifier: Apache-2.0
package import SoundFontInstruments

extension RequestedEffect {
  /// The effect and the consequence, as a sentence for the user.
  ///
  /// Example: `effect "3D Auto" of GS is not available: the song plays without it`.
  package var sentence: String {
    "effect \"\(name)\" of \(standard.rawValue.uppercased()) is not available:"
      + " the song plays without it"
  }
}
