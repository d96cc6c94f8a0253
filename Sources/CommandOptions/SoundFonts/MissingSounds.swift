// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import Downbeat
internal import JSONText
package import SoundFontInstruments

/// The presets and effects that a song requests and that are not available.
package struct MissingSounds {
  /// The presets that no soundfont has.
  package let presets: [MissingPreset]
  /// The effects that Downbeat's own voices do not have, without duplicates.
  package let effects: [RequestedEffect]

  private init(_ presets: [MissingPreset], _ effects: [RequestedEffect]) {
    self.presets = presets
    self.effects = effects.distinct
  }

  /// Collects those of a song that is played; nothing if either is nil.
  package init(_ session: Session?, _ song: ChainedSong?) {
    self.init(
      (session?.missingPresets ?? []) + (song?.missingPresets ?? []),
      (session?.missingEffects ?? []) + (song?.missingEffects ?? []))
  }

  /// Collects those of a song that is rendered.
  package init(_ renderer: SongRenderer, _ song: ChainedSong) {
    self.init(
      renderer.missingPresets + song.missingPresets, renderer.missingEffects + song.missingEffects)
  }

  /// Collects those of a song whose stems are rendered.
  package init(_ renderer: StemRenderer, _ song: ChainedSong) {
    self.init(
      renderer.missingPresets + song.missingPresets, renderer.missingEffects + song.missingEffects)
  }

  /// Adds both to the report of a file.
  package func add(to written: inout WrittenFile) {
    written.add("missing", .array(presets.map { .text($0.sentence) }))
    written.add("missingEffects", .array(effects.map { .text($0.sentence) }))
  }
}
