// SPDX-License-Identifier: Apache-2.0

/// The reason why a song or a sound has ended; the raw value is that of `end-file` events.
public enum EndReason: String, Sendable {
  /// It has played to its end.
  case finished = "eof"
  /// A command moved to another one.
  case stopped = "stop"
  /// A command quit the player.
  case quit
  /// An error ended it.
  case failed = "error"
}
