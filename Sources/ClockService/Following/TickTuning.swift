// SPDX-License-Identifier: Apache-2.0

/// The constants of clock recovery; lengths of time are nanoseconds.
enum TickTuning {
  /// The jitter that is taken for granted before any is measured.
  static let jitterAtStart = 0.7e6
  /// The range of learnt jitter.
  static let jitterRange = 20e3...10e6
  /// The random walk of a quiet master's period per tick, as a part of the period.
  static let wander = 0.5e-6
  /// How far that walk is widened for a master that keeps changing, and how fast.
  static let wanderMost = 600.0
  static let wanderGain = 15.0
  /// How fast the width learns from whether neighbouring misses agree, and the bound of one's say.
  static let wanderLearning = 0.03
  static let agreementMost = 3.0
  /// Without them the widening halves in 24 quarter notes.
  static let wanderDecay = 0.9988
  /// Changes closer together than this, in ticks, tell of a wandering master.
  static let wanderSpan = 384

  /// The extra walk right after a change, as a part of the jitter, and 2^(−1/8), its decay.
  static let settlingNoise = 0.012
  static let settlingDecay = 0.917_004_043_204_671
  static let settled = 0.016

  /// Where a distance stops counting quadratically, in s.d.
  static let huber = 2.5

  /// The cumulative sums: the part forgiven, the threshold, and the bound of one clock's part.
  static let forgiven = 0.5
  static let alarm = 8.0
  static let clippedLate = 3.5
  /// A line can delay a clock, never hasten it: one that is early by less than a fifth of the
  /// period, and so no double of another, is trusted further.
  static let earliest = 0.2
  static let clippedEarly = 6.0
  static let likelihoodLate = 12.0
  static let likelihoodEarly = 40.0
  /// How much likelier, as a logarithm, a change must make the last clocks.
  static let evidence = 10.0
  /// How steep a ramp may be: its change per tick, as a part of the period.
  static let ramp = 5e-4

  /// An interval off the period by more, as a part of it and in units of the jitter, is looked at.
  static let unusual = 0.3
  static let unusualJitter = 7.0
  /// What intervals of one tempo differ by, as a part of them and in units of the jitter.
  static let evenPart = 0.12
  static let evenJitter = 4.0
  /// Closer together than this part of the period nothing tells of a faster tempo.
  static let closest = 0.1
  /// How far off a whole number of periods a gap may be, in units of the jitter and as a part of
  /// the period.
  static let toleranceJitter = 7.0
  static let toleranceLeast = 0.08
  static let toleranceMost = 0.25
  static let strayMost = 0.4
  /// A double follows its tick within this part of the period, and is that far before the next.
  static let doubleMost = 0.35
  static let doublePlace = 0.42
  /// So many ticks in a row as before prove a repair.
  static let proof = 4
  /// Where a tick was lost so many ticks ago, another may be.
  static let lossyTicks: Int64 = 1000

  /// Before this many ticks no clock is repaired, and no change looked for.
  static let ticksBeforeRepair: Int64 = 24
  static let ticksBeforeAlarm: Int64 = 16

  /// A tick that is late by less may have been held up on its way through a busy machine.
  static let lateness = 50e6
  /// After a silence this long the phase is learnt anew.
  static let silence: Int64 = 2_000_000_000
}
