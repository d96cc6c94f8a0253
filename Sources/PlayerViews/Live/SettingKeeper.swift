// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import PlayerControl

/// Takes up how one song was set, and remembers how it is; what flags say is left as it is.
package struct SettingKeeper {
  /// Settings that flags can give.
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

  /// Looks up a song.
  ///
  /// - Parameters:
  ///   - file: where it is remembered.
  ///   - key: the song's own key.
  ///   - typed: the settings that a person has typed, which are left as they are.
  package init(_ file: SongMemoryFile, _ key: String, typed: Typed) {
    self.file = file
    self.key = key
    keepsTransposition = !typed.contains(.transposition)
    keepsChannels = !typed.contains(.channels)
    keepsVolume = !typed.contains(.volume)
    before = file.read()[key]
  }

  /// Whether there is nothing to take up.
  package var isPlain: Bool { setting(over: SongMemory.Setting()) == SongMemory.Setting() }

  /// How the song is to be set, where it is set otherwise now.
  package func setting(over now: SongMemory.Setting) -> SongMemory.Setting {
    merged(before, into: now)
  }

  /// Remembers how the song is set; where that cannot be, it is told.
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
