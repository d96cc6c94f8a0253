// SPDX-License-Identifier: Apache-2.0

/// The reason that a song or a sound has ended; the raw value is the reason in `end-file` events.
public enum EndReason: String, Sendable {
  /// The song or sound was played to its end.
  case finished = "eof"
  /// A command moved to another song or sound.
  case stopped = "stop"
  /// A command quit the player.
  case quit
  /// An error ended the song or sound.
  case failed = "error"
}
