// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import SoundFontFiles
internal import SoundFontVoices

/// One of several soundfonts of an instrument.
///
/// If two have a program, the first font plays it.
public struct SoundFontLayer: Sendable {
  /// The soundfont.
  public let font: SoundFont
  /// A number that is added to the font's bank numbers, 0…16 383; drum kits (bank 128) are not
  /// moved.
  public let bankOffset: Int
  /// The gain of the font, a linear factor above 0.
  public let gain: Float

  /// True for the bank in a song's own file.
  ///
  /// Its banks are selected in every bank mode, and those that `bankOffset` moves above 127 become
  /// bank 0.
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

  /// The bank that selects a preset with this bank number in the font; nil if channels cannot
  /// select it.
  public func bank(of number: Int) -> Int? { patches.bank(of: number) }

  /// The layer for Downbeat's own voices.
  var patches: PatchBank.Layer {
    PatchBank.Layer(
      path: font.path, bytes: font.bytes, tables: font.tables, bankOffset: bankOffset, gain: gain,
      isEmbedded: isEmbedded)
  }
}

extension [SoundFontLayer] {
  /// The presets of the bank in a song's own file.
  ///
  /// - Complexity: O(n) in the number of its presets.
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
