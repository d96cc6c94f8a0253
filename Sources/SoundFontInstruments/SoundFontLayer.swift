// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import SoundFontFiles
internal import SoundFontVoices

/// One of several soundfonts that an instrument plays from: where two have a program, the first
/// named plays it.
public struct SoundFontLayer: Sendable {
  /// The font.
  public let font: SoundFont
  /// What is added to the numbers of its banks, 0…16 383; its drum kits, bank 128, stay where they are.
  public let bankOffset: Int
  /// A linear factor on its sounds, above 0.
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

  /// The bank of a preset's number in the font, or nil if channels cannot select it.
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
