// SPDX-License-Identifier: Apache-2.0
internal import PlayerControl

/// Takes up how one song was set, and remembers how it is; what flags say is left as it is.
struct SettingKeeper {
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
  ///   - flags: what a person has typed.
  ///   - hasGain: whether the gain is typed too.
  init(_ file: SongMemoryFile, _ key: String, sparing flags: PlaybackFlags, hasGain: Bool) {
    self.file = file
    self.key = key
    keepsTransposition = flags.transpose == 0
    keepsChannels = flags.part.hasAllChannels
    keepsVolume = !hasGain
    before = file.read()[key]
  }

  /// Whether there is nothing to take up.
  var isPlain: Bool { setting(over: SongMemory.Setting()) == SongMemory.Setting() }

  /// How the song is to be set, where it is set otherwise now.
  func setting(over now: SongMemory.Setting) -> SongMemory.Setting { merged(before, into: now) }

  /// Remembers how the song is set; where that cannot be, it is told.
  func keep(_ setting: SongMemory.Setting) {
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
