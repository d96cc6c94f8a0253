// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import Downbeat
internal import MusicSequences
internal import SoundFontInstruments

extension SoundOptions {
  /// Adds the bank in a song's own file to settings.
  ///
  /// A damaged bank is reported, and the song is played without it. Explicit soundfonts replace the
  /// bank, unless `--embedded-bank` is given.
  ///
  /// - Parameters:
  ///   - settings: The settings of all songs.
  ///   - song: The song.
  ///   - isQuiet: True to report only damage.
  /// - Returns: The settings of this song.
  /// - Throws: `Failure` if there is neither a usable bank nor an installed soundfont.
  package func settings(
    _ settings: SessionSettings, of song: Song, isQuiet: Bool
  ) throws -> SessionSettings {
    var settings = settings
    settings.embeddedBank = nil
    guard try !hasOwnInstrument else { return settings }
    if song.file.wrapper?.bank != nil { settings.embeddedBank = bank(of: song, isQuiet: isQuiet) }
    if !settings.hasFonts { settings.soundFonts = try FontSearch.choices(soundfont) }
    return settings
  }

  /// Opens the bank in a song's own file, or reports why it is not played.
  private func bank(of song: Song, isQuiet: Bool) -> EmbeddedBank? {
    guard embeddedBank ?? soundfont.isEmpty else {
      if embeddedBank == nil, !isQuiet {
        Terminal.report(
          "\(song.name): --soundfont replaces the bank in the file (--embedded-bank plays both)")
      }
      return nil
    }
    do throws(InstrumentError) {
      return try EmbeddedBank(of: song.file, named: song.name)
    } catch {
      Terminal.report(
        "\(song.name): the bank in the file cannot be used: \(error.flaw)"
          + " (the song is played without it)")
      return nil
    }
  }

  /// True if a plug-in plays instead of soundfonts.
  private var hasOwnInstrument: Bool {
    get throws { try chains.instrument != nil || effects.file(rate: rate.rate)?.instrument != nil }
  }

  /// The soundfonts of the options.
  ///
  /// - Parameter allowsNone: True to return an empty list if none is installed; false to throw.
  /// - Returns: The fonts.
  /// - Throws: `Failure` if a font does not exist, or none is installed.
  func choices(allowingNone allowsNone: Bool) throws -> [SessionSettings.FontChoice] {
    do {
      return try FontSearch.choices(soundfont)
    } catch let failure as Failure where allowsNone && failure.exitStatus == .noSoundFont {
      return []
    }
  }
}
