// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--sync`: the clock of a song.
package enum SongClock: ExpressibleByArgument {
  /// The song's own clock without a device: as fast as possible.
  case offline
  /// A sync source, which starts and stops the song.
  case master(SyncSource)

  package init?(argument: String) {
    guard argument != "offline" else {
      self = .offline
      return
    }
    guard let source = SyncSource(argument: argument) else { return nil }
    self = .master(source)
  }
}
