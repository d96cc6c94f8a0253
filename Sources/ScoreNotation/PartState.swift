// SPDX-License-Identifier: Apache-2.0

/// The settings that apply from one note of a part to the next.
struct PartState: Sendable {
  /// The tick of the next note.
  var position: Int64 = 0
  /// The length and octave of the last note, which also apply to the next note if it does not state
  /// them.
  var duration: Int64
  var octave = 4
  /// The velocity, or the ramp from one velocity to another.
  var velocity = Ramp(from: 80, to: 80, start: 0, length: 0)
  /// The audible share of a note's length, in per cent.
  var gate: Int64 = 95
  /// The number of semitones added to each note.
  var transposition = 0
  /// The length of a step of a drum grid.
  var step: Int64
  /// The last value of each controller, and of the bend, in its unit.
  var controls: [Int: Int64] = [:]
  /// The notes that `~` extends.
  var lastNotes: Range<Int> = 0..<0

  init(ticksPerWhole: Int64) {
    duration = ticksPerWhole / 4
    step = max(1, ticksPerWhole / 16)
  }

  /// A value that changes linearly over a span of ticks.
  struct Ramp: Sendable {
    var from: Int64
    var to: Int64
    var start: Int64
    var length: Int64

    /// The value at a tick, rounded toward the first value.
    func value(at tick: Int64) -> Int64 {
      guard length > 0, tick < start + length else { return to }
      guard tick > start else { return from }
      return from + (to - from) * (tick - start) / length
    }
  }
}
