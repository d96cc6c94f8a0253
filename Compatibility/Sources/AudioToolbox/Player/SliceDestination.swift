// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime

/// A destination of a player that advances with slices; it plays each event at its frame.
package protocol SliceDestination: EventSink<ReferenceTime> {
  /// Stores the time at which the next slice starts, on the timeline of the player.
  func begin(at time: ReferenceTime)
}
