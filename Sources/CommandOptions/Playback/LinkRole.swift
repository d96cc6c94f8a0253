// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// What a song is in a session of Ableton Link.
package enum LinkRole: String, CaseIterable, ExpressibleByArgument {
  /// It takes the session's tempo.
  case follow
  /// The same, once somebody has started the session.
  case wait
  /// It gives the session its own tempi, each at its beat, and starts and stops it.
  case lead
}
