// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import WholeFiles

/// Soundfonts among words that name songs, as users of FluidSynth type them.
package enum FontWord {
  /// Returns true for the name of a soundfont.
  package static func isFont(_ word: String) -> Bool {
    [".sf2", ".sf3", ".dls"].contains { word.lowercased().hasSuffix($0) }
  }

  /// Refuses a soundfont among songs.
  ///
  /// - Parameter words: The names of the songs.
  /// - Throws: `ValidationError` with the option that takes the soundfont.
  package static func refuse(in words: [String]) throws {
    guard let font = words.first(where: { isFont($0) && !FolderListing.isFolder($0) }) else {
      return
    }
    let advice = words.count > 1 ? "-s \(font)" : "downbeat soundfont demo \(font)"
    throw ValidationError("\(font): a soundfont, not a song (try \(advice))")
  }
}
