// SPDX-License-Identifier: Apache-2.0

/// The constants of clock recovery; times are in nanoseconds.
///
/// Each comment names the traces of the benchmark with which the constant was chosen.
enum TickTuning {
  /// The assumed jitter before it is measured: `g0.5` and `g1.0` lock equally well.
  static let jitterAtStart = 0.7e6
  /// The range of learnt jitter.
  static let scatterRange = 20e3...10e6
  /// The rate at which learnt jitter follows small differences of the measurement: the median of 48
  /// is accurate to a sixth, and must not let `g1.0` seem to change its tempo when it is low.
  static let jitterLearning = 0.05
  static let steadyLeast = 0.6
  static let steadyMost = 1.5
  /// After this number of ticks, a sum near the threshold shows that the filter lags: `ramp_g0.1`.
  static let ticksBeforeLag: Int64 = 96

  /// The least jitter that the filter assumes: that of frames of 1 ms, 1 ms / √12.
  ///
  /// With less it follows the frames instead of the clocks, as at 92.75 bpm, at which the position of
  /// a clock in its frame wanders.
  static let leastJitter = 0.3e6
  /// The random walk of a quiet master's period per tick, as a part of the period: `usb1ms`.
  static let wander = 0.25e-6
  /// The limits of widening that walk for a master that keeps changing, and the rate: `walk_g0.5`.
  static let wanderMost = 600.0
  static let wanderGain = 15.0
  /// The rate at which the width adapts to consecutive errors of equal sign, and the limit of one
  /// error.
  static let wanderLearning = 0.03
  static let agreementMost = 3.0
  /// The decay of the widening, by half in 24 quarter notes.
  static let wanderDecay = 0.9988
  /// Changes closer together than this, in ticks, show a wandering master.
  static let wanderSpan = 384
  /// Changes in the first ticks do not: a delay that varies by 1 ms in 24 clocks looks the same.
  static let ticksBeforeWander: Int64 = 96

  /// The additional walk right after a change, as a fraction of the jitter, and its decay,
  /// 2^(−1/8).
  static let settlingNoise = 0.012
  static let settlingDecay = 0.917_004_043_204_671
  static let settled = 0.016

  /// The distance in standard deviations from which it counts linearly: `heavytail`, `dinbad`.
  static let huber = 2.5

  /// The cumulative sums: the deduction, the threshold, and the limit of one clock.
  ///
  /// Early and late clocks count alike: on the frames of a bus a clock may be early by a whole
  /// frame.
  static let forgiven = 0.5
  static let alarm = 8.0
  static let clipped = 4.6
  /// The limit of one clock's squared distance: `heavytail`.
  static let likelihoodMost = 12.0
  /// The logarithm of the factor by which a change must make the last clocks more likely: `g3.0`.
  static let evidence = 10.0
  /// The same for a step that two clocks show, each with nearly the largest distance that counts,
  /// and the fraction of the alarm from which a step is considered: `step8_g0.1`.
  static let stepEvidence = 7.0
  static let stepAlarm = 0.9
  /// The least prediction error for which changes are considered.
  ///
  /// It is more than the effect of bus frames, and more than most jitter. Twice the jitter would be
  /// late for `ramp_g0.5`.
  static let frame = 1.1e6
  /// The same on a line with less jitter than this: a delay that varies by ±1 ms in one to eight
  /// quarter notes is then recognised, and not taken for a varying tempo.
  static let sway = 2.2e6
  static let quiet = 0.35e6
  static let trembleLearning = 1.0 / 24
  /// The same over more ticks, and the fraction of it that is the least learnt jitter on a blurred
  /// line: the median of 48 is wrong by half once in about a hundred ticks, and jitter then looks
  /// like a new tempo.
  static let longTrembleLearning = 1.0 / 128
  static let trembleLeast = 0.8
  /// The same on a line that loses or doubles ticks: a false change of tempo makes the count wrong.
  static let trembleFaulty = 0.9
  static let changeJitter = 1.5
  /// The largest slope of a ramp: its change per tick, as a fraction of the period.
  static let ramp = 5e-4
  /// The number of ticks that are searched for a change: with 30, `ramp_g1.0` is wrong by a third
  /// more.
  static let memory = 60
  /// The distance between the starts of a change that are tried.
  ///
  /// It halves the filter steps of a search; for older changes the ticks since determine the start
  /// well enough.
  @inline(__always)
  static func stride(_ ago: Int) -> Int { ago <= 16 ? 1 : ago <= 32 ? 2 : 4 }
  /// The penalty for assuming a change, in units of the logarithm: less if it leaves less
  /// uncertain.
  static let holdPenalty = 0.5
  static let changePenalty = 1.0
  static let restartPenalty = 2.0
  /// The factor by which sums are reduced after an alarm without a change; the next ticks may
  /// explain it.
  static let softened = 0.6
  /// The least number of ticks in a ramp: with 24 a step by 0.5 BPM, `step0.5_g0.5`, is found
  /// later.
  static let leastRamp = 8
  /// After this number of ticks a ramp ends if its squared slope is below this many variances; a
  /// third or four times the ticks make no difference in any trace.
  static let rampAge = 72
  static let rampEvidence = 2.25
  /// The uncertainty after a change: of the period, as a fraction, and of the phase, in units of
  /// the jitter.
  ///
  /// With half of either, a ramp from 60 to 200 is wrong by a tenth more, and so is rubato of 15 %.
  static let openPeriod = 0.3
  static let openPhase = 0.3
  /// The uncertainty of the period after a ramp, in units of the largest change per tick: twice
  /// this finds a step by 0.5 BPM later.
  static let openHold = 4.0
  /// The uncertainty of a period from a line that follows motion, as a fraction of it.
  static let openMotion = 0.02
  /// A change of tempo more than this number of ticks after the last one is a step, not motion.
  static let ticksOfMotion = 96
  /// The number of ticks after a change of tempo in which the published position stays close to it.
  static let ticksOfChange = 24
  /// The uncertainty of the period after a recount, in periods; half and twice this are as good for
  /// a step from 120 to 20 or 720.
  static let openRecount = 3.0
  /// Below this fraction of the alarm, errors are jitter; above it too, if that lasts for `hotMost`
  /// ticks or there are fewer than `ticksBeforeCalm`.
  ///
  /// With twice the fraction a ramp from 60 to 200 is wrong by four times as much, with half of it
  /// `dropout` by a quarter more.
  static let calm = 0.6
  static let hotMost = 32
  static let ticksBeforeCalm: Int64 = 48
  /// The least number of residuals for learning jitter: with 4, `g3.0` takes twice the time to
  /// lock.
  static let leastResiduals = 12
  /// The limit of one tick in the difference between ticks, in units of the jitter.
  static let trembleMost = 4.0

  /// An interval is examined if it differs from the period by more than this, as a fraction and in
  /// units of the jitter.
  ///
  /// Smaller differences, such as a step by a quarter, are followed by the filter alone.
  static let unusual = 0.3
  static let unusualJitter = 7.0
  /// The difference between intervals of one tempo, as a fraction and in units of the jitter:
  /// rubato of 15 % in two quarter notes, taps.
  static let evenPart = 0.12
  static let evenJitter = 4.0
  /// Intervals shorter than this fraction of the period do not show a faster tempo: `burst`.
  static let closest = 0.1
  /// Two intervals of this many periods are another tempo: equal losses of several ticks, twice in
  /// a row, do not occur.
  static let longest = 2.5
  /// The largest difference of a gap from a whole number of periods, in units of the jitter and as
  /// a fraction of the period: `missing1pc` with its jitter, against a step from 120 to 72, 1.67
  /// periods.
  static let toleranceJitter = 7.0
  static let toleranceLeast = 0.08
  static let toleranceMost = 0.25
  /// The same for the interval alone, without the phase: a step from 120 to 80 has two of 1.5.
  static let strayMost = 0.4
  /// A double follows its tick within this fraction of the period, and precedes the next by that:
  /// less than a tempo twice as fast, and more than the 1.5 ms of `doubled`.
  static let doubleMost = 0.35
  static let doublePlace = 0.42
  /// The shortest interval that may contain a lost tick, in periods.
  ///
  /// A loss and a late tick together make two of 1.5.
  static let leastGap = 1.4
  /// If the period changed by less than this fraction during a doubt, it is the period before.
  static let unchanged = 0.03
  /// The number of consecutive ticks as before that prove a repair; with a new tempo they do not
  /// occur.
  static let proof = 4
  /// Two consecutive intervals that differ by this factor in one direction are another tempo.
  static let openFactor = 1.3
  /// The same factor grows by this many times the jitter, in periods.
  static let openJitter = 5.0
  /// The distance from a whole number of periods within which the sum may contain losses, in
  /// periods.
  static let openWhole = 0.12
  /// The least difference of the sum from the count, in periods; less may be a late tick:
  /// `heavytail`.
  static let openLeast = 0.5
  /// The number of ticks nearly as before that end a doubt without a repair.
  static let patience = 8
  /// The number of last intervals, of `evenSpan`, that must equal the period to recognise a loss.
  static let evenLeast = 4
  static let evenSpan = 6
  /// The number of even intervals that show another tempo: two may be a late tick and a lost one,
  /// as in `heavytail`; with four, half the tempo, `stephalf_g0.5`, is wrong by half as much again.
  static let tempoProof = 3
  /// The same for twice the period on a line with losses: every other tick may be lost, in
  /// `missing1pc`.
  static let tempoProofLossy = 4
  /// The number of ticks after a loss in which others are likely: `missing1pc` loses every other of
  /// six.
  static let lossyTicks: Int64 = 1000

  /// Before these numbers of ticks, clocks are not repaired, and changes not considered.
  static let ticksBeforeRepair: Int64 = 24
  static let ticksBeforeAlarm: Int64 = 16

  /// A tick that is late by less may have been delayed on its way through a busy machine.
  static let lateness = 50e6
  /// If it is longer, this number of periods without a tick is too long for a late one.
  static let overdue = 2.5
  /// The first tick after a Start keeps the phase if its squared distance is within this many
  /// variances.
  static let downbeat = 16.0
  /// A MIDI clock is known if the standard deviation of its tempo is below this fraction, and that
  /// of its phase below this value or the jitter.
  ///
  /// It stays known up to eight times the first fraction, so that the state does not alternate.
  static let knownTempo = 0.0025
  static let knownPhase = 1e6
  static let lostTempo = 0.02
  /// The number of consecutive clocks outside of the supported tempi that end following: half a
  /// quarter note.
  static let refusedClocks = 12
  /// The uncertainty of a period before two ticks, as a fraction: of a song's tempo, of a guess,
  /// and of the tempo before a silence.
  static let trustedPeriod = 0.02
  static let guessedPeriod = 0.4
  static let resumedPeriod = 0.1
  /// The longest interval that is a first period: slightly more than a clock of 1 BPM.
  static let longestInterval = 2.6e9
  /// The silence after which the phase is learnt again.
  static let silence: Int64 = 2_000_000_000
}
