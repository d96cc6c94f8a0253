// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
package import Downbeat
internal import PlayerControl
package import SoundFontInstruments

/// The value of `--soundfont`: `Font.sf2`, `Font.sf2,bank=8`, `Font.sf2,gain=-3dB`.
package struct FontChoice {
  package let choice: SessionSettings.FontChoice

  /// The choice with the path of the soundfont, which is found by its name if necessary.
  ///
  /// - Throws: `Failure` if it does not exist.
  package var found: SessionSettings.FontChoice {
    get throws {
      var choice = choice
      choice.path = try FontSearch.path(of: choice.path)
      return choice
    }
  }

  /// Opens the soundfont, which is found by its name if necessary.
  ///
  /// - Throws: `Failure` or `InstrumentError` if it does not exist or cannot be used.
  package func layer() throws -> SoundFontLayer {
    SoundFontLayer(
      try SoundFont(path: FontSearch.path(of: choice.path)), bankOffset: choice.bankOffset,
      gain: choice.gain)
  }

  package init(parsing text: String) throws {
    var choice = SessionSettings.FontChoice(path: text)
    while let comma = choice.path.lastIndex(of: ",") {
      let setting = choice.path[choice.path.index(after: comma)...]
      if setting.hasPrefix("bank=") {
        guard let bank = Int(setting.dropFirst(5)), (0...16_383).contains(bank) else {
          throw ValidationError("--soundfont '\(text)': the bank offset must be 0…16383")
        }
        choice.bankOffset = bank
      } else if setting.hasPrefix("gain=") {
        choice.gain = try Gain(typed: String(setting.dropFirst(5)), for: "gain=").factor
      } else {
        break
      }
      choice.path = String(choice.path[..<comma])
    }
    guard choice.gain > 0 else {
      throw ValidationError("--soundfont '\(text)': the gain must be above 0")
    }
    self.choice = choice
  }
}
