internal import MIDIMessages
internal import PlayerControl
// SPDX-License-Identifier: Apache-2.0
package import SoundFontInstruments

extension MissingPreset {
  /// The missing preset and its replacement, as a sentence for the user.
  package var sentence: String {
    "channel \(Int(channel.index) + 1) plays \(Self.words(bank, program)), which the soundfont"
      + " lacks: \(outcome)"
  }

  private var outcome: String {
    guard let replacement else { return "silent" }
    return "\(Self.words(replacement.bank, replacement.program)) instead"
  }

  /// The name of a preset: `drum kit 1 Standard Kit`, `program 49 String Ensemble 1`,
  /// `program 49 of bank 8`.
  package static func words(_ bank: Int, _ program: Int) -> String {
    guard let number = UInt8(exactly: program) else { return "program \(program + 1)" }
    if bank == 128 { return "drum kit \(ProgramWords.text(number, on: .percussion))" }
    // The names are those of bank 0; other banks have variations.
    let name = ProgramWords.text(number, on: Channel(index: 0))
    return bank == 0 ? "program \(name)" : "program \(program + 1) of bank \(bank)"
  }
}
