// SPDX-License-Identifier: Apache-2.0
package import SoundFontInstruments

extension RequestedEffect {
  /// The effect and what is heard instead, for a person: `effect "3D Auto" of GS is not available: the
  /// song plays without it`.
  package var sentence: String {
    "effect \"\(name)\" of \(standard.rawValue.uppercased()) is not available:"
      + " the song plays without it"
  }
}
