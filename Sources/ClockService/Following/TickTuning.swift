// SPDX-License-Identifier: Apache-2.0

/// The constants of clock recovery; lengths of time are nanoseconds.
///
/// Each names the traces of the benchmark that decide it.
enum TickTuning {
  /// The jitter that is taken for granted before any is measured: `g0.5` and `g1.0` lock alike.
  static let jitterAtStart = 0.7e6
  /// The range of learnt jitter.
  static let scatterRange = 20e3...10e6
  /// How fast learnt jitter follows what is measured, where the two differ little: the median of 48
  /// is good to a sixth, and `g1.0` shall not seem to change its tempo when it is low.
  static let jitterLearning = 0.05
  static let steadyLeast = 0.6
  static let steadyMost = 1.5
  /// Once so many ticks are known a sum near the threshold says that the filter lags: `ramp_g0.1`.
  static let ticksBeforeLag: Int64 = 96

  /// The least jitter that the filter believes in: that of frames of 1 ms, 1 ms / √12.
  ///
  /// With less it follows the frames instead of the clocks, as at 92.75 bpm, where the place of
  /// a clock in its frame wanders.
  static let leastJitter = 0.3e6
  /// The random walk of a quiet master's period per tick, as a part of the period: `usb1ms`.
  static let wander = 0.25e-6
  /// How far that walk is widened for a master that keeps changing, and how fast: `walk_g0.5`.
  static let wanderMost = 600.0
  static let wanderGain = 15.0
  /// How fast the width learns from whether neighbouring misses agree, and the bound of one's say.
  static let wanderLearning = 0.03
  static let agreementMost = 3.0
  /// Without them the widening halves in 24 quarter notes.
  static let wanderDecay = 0.9988
  /// Changes closer together than this, in ticks, tell of a wandering master.
  static let wanderSpan = 384
  /// Those in the first ticks do not: a delay that swings by 1 ms in 24 clocks looks like it.
  static let ticksBeforeWander: Int64 = 96

  /// The extra walk right after a change, as a part of the jitter, and 2^(−1/8), its decay.
  static let settlingNoise = 0.012
  static let settlingDecay = 0.917_004_043_204_671
  static let settled = 0.016

  /// Where a distance stops counting quadratically, in s.d.: `heavytail`, `dinbad`.
  static let huber = 2.5

  /// The cumulative sums: the part forgiven, the threshold, and the bound of one clock's part.
  ///
  /// Early and late count alike: at the frames of a bus a clock may come early by a whole frame.
  static let forgiven = 0.5
  static let alarm = 8.0
  static let clipped = 4.6
  /// The bound of what one clock's distance says, as a square: `heavytail`.
  static let likelihoodMost = 12.0
  /// How much likelier, as a logarithm, a change must make the last clocks: `g3.0`.
  static let evidence = 10.0
  /// The same of a step that two clocks show, each about as far off as one may count, and the part of
  /// the alarm from which on it is looked for: `step8_g0.1`.
  static let stepEvidence = 7.0
  static let stepAlarm = 0.9
  /// How far off its prediction a clock must have come before a change is looked for.
  ///
  /// It is more than the frames of a bus do, and than jitter does mostly. Twice the jitter is late for `ramp_g0.5`.
  static let frame = 1.1e6
  /// The same on a line that jitters by less than this: there a delay that sways by ±1 ms in one to
  /// eight quarter notes is seen for what it is, and not taken for a tempo that does.
  static let sway = 2.2e6
  static let quiet = 0.35e6
  static let trembleLearning = 1.0 / 24
  /// The same over more ticks, and the least part of it that learnt jitter is on a blurred line: the
  /// median of 48 is off by half once in some hundred ticks, and then jitter looks like a new tempo.
  static let longTrembleLearning = 1.0 / 128
  static let trembleLeast = 0.8
  /// The same on a line that loses or doubles ticks: a false change of tempo makes the count wrong.
  static let trembleFaulty = 0.9
  static let changeJitter = 1.5
  /// How steep a ramp may be: its change per tick, as a part of the period.
  static let ramp = 5e-4
  /// How far back a change is looked for, in ticks: with 30 `ramp_g1.0` is off by a third more.
  static let memory = 60
  /// How far apart the beginnings of a change are that are tried: so a search takes half the steps of
  /// the filter, and of a change far back the ticks since tell the beginning well enough.
  @inline(__always)
  static func stride(_ ago: Int) -> Int { ago <= 16 ? 1 : ago <= 32 ? 2 : 4 }
  /// What it costs to assume a change, in units of the logarithm: the less, the less it leaves open.
  static let holdPenalty = 0.5
  static let changePenalty = 1.0
  static let restartPenalty = 2.0
  /// What is left of the sums after an alarm that no change explains: the next few ticks may.
  static let softened = 0.6
  /// How many ticks a ramp must have: with 24 a step by 0.5 BPM, `step0.5_g0.5`, is found later.
  static let leastRamp = 8
  /// After so many ticks a ramp is none where its slope's square is below so many variances; no
  /// trace tells a third of the ticks from four times as many.
  static let rampAge = 72
  static let rampEvidence = 2.25
  /// What a change leaves open: the period, as a part of it, and the phase, in units of the jitter.
  ///
  /// With half of either a ramp from 60 to 200 is off by a tenth more, and so is rubato of 15 %.
  static let openPeriod = 0.3
  static let openPhase = 0.3
  /// The period after a ramp, in units of the steepest change per tick: twice as much finds a step
  /// by 0.5 BPM later.
  static let openHold = 4.0
  /// The period that is taken from a line that follows motion, as a part of it.
  static let openMotion = 0.02
  /// A change of tempo more than this many ticks after the last one is a step, not motion.
  static let ticksOfMotion = 96
  /// For so many ticks after a change of tempo the published position stays close to the estimate.
  static let ticksOfChange = 24
  /// The period where all is counted anew, in periods; half and twice do as well for a step from 120
  /// to 20 or 720.
  static let openRecount = 3.0
  /// Below this part of the alarm what ticks are off by is jitter, and so it is where that lasts
  /// for so many ticks, or before so many are known: with twice the part a ramp from 60 to 200 is
  /// off by four times as much, with half of it `dropout` by a quarter more.
  static let calm = 0.6
  static let hotMost = 32
  static let ticksBeforeCalm: Int64 = 48
  /// Before so many residuals nothing is learnt of jitter: with 4 `g3.0` locks in twice the time.
  static let leastResiduals = 12
  /// The bound of one tick's say in how much ticks tremble, in units of the jitter.
  static let trembleMost = 4.0

  /// An interval off the period by more, as a part of it and in units of the jitter, is looked at:
  /// less is followed by the filter alone, as a step by a quarter is.
  static let unusual = 0.3
  static let unusualJitter = 7.0
  /// What intervals of one tempo differ by, as a part of them and in units of the jitter: rubato of
  /// 15 % in two quarter notes, taps.
  static let evenPart = 0.12
  static let evenJitter = 4.0
  /// Closer together than this part of the period nothing tells of a faster tempo: `burst`.
  static let closest = 0.1
  /// Two intervals of so many periods are another tempo: losses of several ticks, twice in a row
  /// and alike, are none.
  static let longest = 2.5
  /// How far off a whole number of periods a gap may be, in units of the jitter and as a part of
  /// the period: `missing1pc` at its jitter against a step from 120 to 72, 1.67 periods.
  static let toleranceJitter = 7.0
  static let toleranceLeast = 0.08
  static let toleranceMost = 0.25
  /// The same of the interval alone, without the phase: a step from 120 to 80 has two of 1.5.
  static let strayMost = 0.4
  /// A double follows its tick within this part of the period, and is that far before the next:
  /// less than a tempo twice as fast, and more than the 1.5 ms of `doubled`.
  static let doubleMost = 0.35
  static let doublePlace = 0.42
  /// The shortest interval that may hold a lost tick, in periods.
  ///
  /// A loss beside a late tick makes two of 1.5.
  static let leastGap = 1.4
  /// A period that changed by less than this part during a doubt is the one before.
  static let unchanged = 0.03
  /// So many ticks in a row as before prove a repair: a new tempo has none.
  static let proof = 4
  /// Two intervals in a row that are off by this factor in one direction are another tempo.
  static let openFactor = 1.3
  /// The same factor grows by this many times the jitter, in periods.
  static let openJitter = 5.0
  /// How near a whole number of periods losses would leave the sum, in periods.
  static let openWhole = 0.12
  /// How far the sum must be off the count, in periods; less may be a late tick: `heavytail`.
  static let openLeast = 0.5
  /// So many that seem to come as before, but not quite as often, end a doubt without a repair.
  static let patience = 8
  /// Where so many of the last intervals are the period, ticks are even enough to tell a loss by.
  static let evenLeast = 4
  static let evenSpan = 6
  /// So many even intervals are another tempo: after two a late tick and a lost one would be, as in
  /// `heavytail`; after four half the tempo, `stephalf_g0.5`, is off by half as much again.
  static let tempoProof = 3
  /// The same of twice the period where ticks are lost at all: every other may be, in `missing1pc`.
  static let tempoProofLossy = 4
  /// Where a tick was lost so many ticks ago, another may be: `missing1pc` loses every other of six.
  static let lossyTicks: Int64 = 1000

  /// Before this many ticks no clock is repaired, and no change looked for.
  static let ticksBeforeRepair: Int64 = 24
  static let ticksBeforeAlarm: Int64 = 16

  /// A tick that is late by less may have been held up on its way through a busy machine.
  static let lateness = 50e6
  /// So many periods without a tick are too many for one that is late, where that is longer.
  static let overdue = 2.5
  /// The first tick after a Start keeps the phase where its distance, squared, is so many variances.
  static let downbeat = 16.0
  /// A MIDI clock is known where its tempo is as sure as this part of it, by its standard deviation,
  /// and its phase as this or the jitter; it stays so up to eight times that part, lest it come and
  /// go.
  static let knownTempo = 0.0025
  static let knownPhase = 1e6
  static let lostTempo = 0.02
  /// So many clocks in a row, half a quarter note, outside the tempi that are followed are refused.
  static let refusedClocks = 12
  /// How well a period is known before two ticks, as a part of it: a song's tempo, a mere guess,
  /// and the tempo before a silence.
  static let trustedPeriod = 0.02
  static let guessedPeriod = 0.4
  static let resumedPeriod = 0.1
  /// The longest interval that is a first period: a clock of 1 BPM and a little more.
  static let longestInterval = 2.6e9
  /// After a silence this long the phase is learnt anew.
  static let silence: Int64 = 2_000_000_000
}
