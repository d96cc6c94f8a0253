// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension Tempo {
  /// Creates a tempo from text that the user types during playback.
  ///
  /// The text is in quarter notes per minute, and the tempo is rounded to 10 ns per quarter note.
  ///
  /// The fastest is that of a MIDI clock (`MIDIClockFollower.fastestTempo`): a loop at a billion
  /// quarter notes a minute would emit millions of events at once. The slowest is about the longest
  /// quarter note that a `Tempo` can hold.
  ///
  /// - Returns: The tempo; nil if the text is not a number from 1.4 to 999.
  package init?(asked text: String) {
    do {
      let value = try Ratio(parsing: text)
      guard value >= Ratio(7, over: 5), value <= 999 else { return nil }
      self = try Self.beatsPerMinute(value, rounding: .nearest).value
    } catch {
      return nil
    }
  }
}
