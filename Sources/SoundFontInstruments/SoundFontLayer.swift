// SPDX-License-Identifier: Apache-2.0
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

  /// Creates a layer.
  public init(_ font: SoundFont, bankOffset: Int = 0, gain: Float = 1) {
    self.font = font
    self.bankOffset = bankOffset
    self.gain = gain
  }

  /// The layer for Downbeat's own voices.
  var patches: PatchBank.Layer {
    PatchBank.Layer(
      path: font.path, bytes: font.bytes, tables: font.tables, bankOffset: bankOffset, gain: gain)
  }
}
