// SPDX-License-Identifier: Apache-2.0
internal import FluidSynthInstruments
internal import MIDIMessages

extension MissingPreset {
  /// What is missing and what is heard, for a person.
  var sentence: String {
    "channel \(Int(channel.index) + 1) plays \(Self.words(bank, program)), which the soundfont"
      + " lacks: \(outcome)"
  }

  private var outcome: String {
    guard let replacement else { return "silent" }
    return "\(Self.words(replacement.bank, replacement.program)) instead"
  }

  private static func words(_ bank: Int, _ program: Int) -> String {
    bank == 128 ? "drum kit \(program + 1)" : "program \(program + 1) of bank \(bank)"
  }
}
