// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import SoundFontVoices

/// The presets of soundfonts without their samples, which the `FontRehearsal`s of all ports share.
public struct FontBank: Sendable {
  let patches: PatchBank
  /// The presets of the bank in a song's own file.
  let ownPresets: OwnPresets

  /// Reads the presets of soundfonts.
  ///
  /// If two fonts have a preset, the first font plays it.
  ///
  /// - Throws: `InstrumentError` if a font cannot be read.
  public init(_ layers: [SoundFontLayer]) throws(InstrumentError) {
    ownPresets = layers.ownPresets
    do throws(SoundFontVoicesError) {
      patches = try PatchBank(layers.map(\.patches), programs: nil)
    } catch {
      throw InstrumentError(error)
    }
  }
}
