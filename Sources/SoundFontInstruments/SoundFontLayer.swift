// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import SoundFontFiles
internal import SoundFontVoices

/// One of several soundfonts of an instrument, with its bank offset and gain.
///
/// If two layers have a program, the first one plays it.
public struct SoundFontLayer: Sendable {
  /// The soundfont.
  public let font: SoundFont
  /// A number that is added to the font's bank numbers, 0…16 383; drum kits (bank 128) keep their
  /// number.
  public let bankOffset: Int
  /// The gain of the font, a linear factor above 0.
  public let gain: Float

  /// True for the bank that is embedded in a song's file.
  ///
  /// The banks of such a font can be selected in every bank mode. Banks that `bankOffset` would
  /// move above 127 become bank 0.
  public let isEmbedded: Bool

  /// Creates a layer.
  public init(
    _ font: SoundFont, bankOffset: Int = 0, gain: Float = 1, isEmbedded: Bool = false
  ) {
    self.font = font
    self.bankOffset = bankOffset
    self.gain = gain
    self.isEmbedded = isEmbedded
  }

  /// Returns the bank number with which a channel selects a bank of the font; nil if channels
  /// cannot select that bank.
  public func bank(of number: Int) -> Int? { patches.bank(of: number) }

  /// The layer for Downbeat's own voices.
  var patches: PatchBank.Layer {
    PatchBank.Layer(
      path: font.path, bytes: font.bytes, tables: font.tables, bankOffset: bankOffset, gain: gain,
      isEmbedded: isEmbedded)
  }
}

extension [SoundFontLayer] {
  /// The presets of a bank that is embedded in a song's file.
  ///
  /// - Complexity: O(n) in the number of presets.
  public var ownPresets: OwnPresets {
    var presets = OwnPresets()
    for layer in self where layer.isEmbedded {
      if case .dls = layer.font.tables.format { presets.hasLowerBanks = true }
      for preset in layer.font.tables.presets {
        guard let bank = layer.bank(of: preset.bank) else { continue }
        presets.insert(bank: bank, program: preset.program)
      }
    }
    return presets
  }
}
