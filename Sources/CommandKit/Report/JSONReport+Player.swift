// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension JSONReport {
  /// Reports the events of a player.
  package static func tell(_ events: [PlayerEvents.Event]) {
    for event in events { tell(event.name, event.members) }
  }
}
