// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import PlayerControl

/// Restores the saved settings of a song, and saves new ones, except those given by options.
package struct SettingKeeper {
  /// The settings given by options.
  package struct Typed: OptionSet {
    package static let transposition = Typed(rawValue: 1)
    package static let channels = Typed(rawValue: 2)
    package static let volume = Typed(rawValue: 4)

    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }
  }

  private let file: SongMemoryFile
  private let key: String
  private let before: SongMemory.Setting
  private let keepsTransposition: Bool
  private let keepsChannels: Bool
  private let keepsVolume: Bool

  /// Reads the settings of a song.
  ///
  /// - Parameters:
  ///   - file: The file with the settings.
  ///   - key: The key of the song.
  ///   - typed: The settings given by options, which are neither restored nor saved.
  package init(_ file: SongMemoryFile, _ key: String, typed: Typed) {
    self.file = file
    self.key = key
    keepsTransposition = !typed.contains(.transposition)
    keepsChannels = !typed.contains(.channels)
    keepsVolume = !typed.contains(.volume)
    before = file.read()[key]
  }

  /// True if there is nothing to restore.
  package var isPlain: Bool { setting(over: SongMemory.Setting()) == SongMemory.Setting() }

  /// The settings to use in place of the current ones.
  package func setting(over now: SongMemory.Setting) -> SongMemory.Setting {
    merged(before, into: now)
  }

  /// Saves the settings of the song; a failure is reported.
  package func keep(_ setting: SongMemory.Setting) {
    do {
      try file.edit { $0[key] = merged(setting, into: $0[key]) }
    } catch {
      Terminal.report("\(error)")
    }
  }

  private func merged(
    _ new: SongMemory.Setting, into old: SongMemory.Setting
  ) -> SongMemory.Setting {
    var merged = old
    if keepsTransposition { merged.transposition = new.transposition }
    if keepsChannels { merged.channels = new.channels }
    if keepsVolume { merged.volume = new.volume }
    return merged
  }
}
