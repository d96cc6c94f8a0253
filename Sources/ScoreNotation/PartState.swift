// SPDX-License-Identifier: Apache-2.0

/// What holds on from one note of a part to the next.
struct PartState: Sendable {
  /// The next note's tick.
  var position: Int64 = 0
  /// The last note's length and octave, which the next one has where it names none.
  var duration: Int64
  var octave = 4
  /// The velocity, or the way from one to another.
  var velocity = Ramp(from: 80, to: 80, start: 0, length: 0)
  /// The part of its length that a note sounds, in per cent.
  var gate: Int64 = 95
  /// Semitones added to each note.
  var transposition = 0
  /// The length of a step of a drum grid.
  var step: Int64
  /// The last value of each controller, and of the bend, in their own units.
  var controls: [Int: Int64] = [:]
  /// The notes that `~` prolongs.
  var lastNotes: Range<Int> = 0..<0

  init(ticksPerWhole: Int64) {
    duration = ticksPerWhole / 4
    step = max(1, ticksPerWhole / 16)
  }

  /// A value that moves evenly over a stretch of time.
  struct Ramp: Sendable {
    var from: Int64
    var to: Int64
    var start: Int64
    var length: Int64

    /// The value at a tick, rounded towards the first.
    func value(at tick: Int64) -> Int64 {
      guard length > 0, tick < start + length else { return to }
      guard tick > start else { return from }
      return from + (to - from) * (tick - start) / length
    }
  }
}
