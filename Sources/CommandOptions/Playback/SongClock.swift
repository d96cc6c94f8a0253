// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// What a song runs by, as a flag names it.
package enum SongClock: ExpressibleByArgument {
  /// The song's own clock and no device's: as fast as it can be reckoned.
  case offline
  /// A master, from its start to its stop.
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
