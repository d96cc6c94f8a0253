// SPDX-License-Identifier: Apache-2.0
internal import PlayerControl

extension JSONReport {
  /// Tells what happened to a song.
  static func tell(_ events: [PlayHappenings.Event]) {
    for event in events { tell(event.name, event.members) }
  }
}
