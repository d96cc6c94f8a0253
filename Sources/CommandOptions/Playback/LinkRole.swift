// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--link`: the role of a song in an Ableton Link session.
package enum LinkRole: String, CaseIterable, ExpressibleByArgument {
  /// The song uses the session's tempo.
  case follow
  /// The same, after waiting until the session is started.
  case wait
  /// The song sends its tempo changes, start and stop to the session.
  case lead
}
