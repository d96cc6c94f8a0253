// SPDX-License-Identifier: Apache-2.0
package import CommandKit

extension SongOptions {
  /// Reports the missing presets and effects of a song.
  package func tell(_ missing: MissingSounds, of name: String) {
    guard !quiet else { return }
    for preset in missing.presets.prefix(Self.shownRepairs) {
      Terminal.report("\(name): \(preset.sentence)")
    }
    let more = missing.presets.count - Self.shownRepairs
    if more > 0 {
      Terminal.report(
        "\(name): \(more) more missing presets (see: downbeat soundfont check --song)")
    }
    for effect in missing.effects.prefix(Self.shownRepairs) {
      Terminal.report("\(name): \(effect.sentence)")
    }
    let others = missing.effects.count - Self.shownRepairs
    if others > 0 {
      Terminal.report("\(name): \(others) more missing effects (see: downbeat check)")
    }
  }
}
