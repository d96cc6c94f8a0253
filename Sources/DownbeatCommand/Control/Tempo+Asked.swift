// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension Tempo {
  /// The tempo that somebody asks for while it plays, in quarter notes a minute, to the nearest 10 ns
  /// a quarter note.
  ///
  /// It is no faster than those that are followed (`MIDIClockFollower.fastestTempo`): a loop at a
  /// billion quarter notes a minute would be millions of events in every window. A slower one lasts
  /// longer than a tempo can say.
  ///
  /// - Returns: nil for what is no number, and outside 1.4…999.
  init?(asked text: String) {
    do {
      let value = try Ratio(parsing: text)
      guard value >= Ratio(7, over: 5), value <= 999 else { return nil }
      self = try Self.beatsPerMinute(value, rounding: .nearest).value
    } catch {
      return nil
    }
  }
}
