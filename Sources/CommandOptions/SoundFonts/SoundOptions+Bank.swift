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
  package func settings(
    _ settings: SessionSettings, of song: Song, isQuiet: Bool
  ) -> SessionSettings {
    var settings = settings
    settings.embeddedBank = nil
    guard song.file.wrapper?.bank != nil, !settings.soundFonts.isEmpty else { return settings }
    guard embeddedBank ?? soundfont.isEmpty else {
      if embeddedBank == nil, !isQuiet {
        Terminal.report(
          "\(song.name): --soundfont replaces the bank in the file (--embedded-bank plays both)")
      }
      return settings
    }
    do throws(InstrumentError) {
      settings.embeddedBank = try EmbeddedBank(of: song.file, named: song.name)
    } catch {
      Terminal.report(
        "\(song.name): the bank in the file cannot be used: \(error.flaw)"
          + " (the song is played without it)")
    }
    return settings
  }
}
