// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import WholeFiles

/// Detects soundfonts among the names of songs, as users of FluidSynth type them.
package enum FontWord {
  /// Returns true for the name of a soundfont.
  package static func isFont(_ word: String) -> Bool {
    [".sf2", ".sf3", ".dls"].contains { word.lowercased().hasSuffix($0) }
  }

  /// Throws if a soundfont is among the names of songs.
  ///
  /// - Parameter words: The names.
  /// - Throws: `ValidationError` with a hint to the right option.
  package static func refuse(in words: [String]) throws {
    guard let font = words.first(where: { isFont($0) && !FolderListing.isFolder($0) }) else {
      return
    }
    let advice = words.count > 1 ? "-s \(font)" : "downbeat soundfont demo \(font)"
    throw ValidationError("\(font): a soundfont, not a song (try \(advice))")
  }
}
