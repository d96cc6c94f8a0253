// SPDX-License-Identifier: Apache-2.0

/// The constants of counting on carriers and in batches.
enum CountTuning {
  /// The evidence for a carrier, for an uncertain count, and the maximum.
  static let carrier = 5.0
  static let suspected = 1.0
  static let evidenceMost = 8.0
  /// The evidence at the start on a line with jitter; its reduction for each time that odd
  /// intervals were random before, and the maximum reduction.
  static let inexact = -3.0
  static let inexactRandom = 0.1
  static let inexactMost = 5.0
  /// The same on a quiet line whose odd intervals were at random before.
  static let random = -1.5
  /// The loss of evidence at an odd interval if intervals before it were off whole frames.
  static let offGrid = 1.0
  /// The evidence from an odd interval at the distance of earlier ones, nearly at it, and elsewhere.
  static let gainMost = 4.0
  static let nearGain = 1.5
  static let roughGain = 0.6
  static let unlike = 2.6
  /// The largest distance, in clocks, of an odd interval from the position predicted for a carrier:
  /// exact, and as a fraction of the distance, since a master also has jitter.
  static let distanceLeast = 1.5
  static let leastDistance = 5.0
  static let distanceNear = 0.1
  static let distanceRough = 0.3
  /// An odd interval of the other kind within this fraction of the distance cancels the last one.
  static let returned = 0.4
  /// The uncertainty of a carrier's period, as a fraction of it.
  static let periodPart = 0.002
  /// Odd intervals older than this many clocks are ignored.
  static let forgotten = 4096
  /// The number of clocks after an odd interval in which another one can compensate it.
  static let patience = 3

  /// The largest deviation of intervals from whole frames on a carrier, in nanoseconds; and on one
  /// with jitter, as a fraction of a frame.
  static let exactMost = 0.25e6
  static let gridPart = 0.12
  /// The largest deviation of an odd interval from 0 or 2 frames, and the deviation that excludes a
  /// carrier.
  static let oddMost = 0.25
  static let offMost = 0.3
  /// The standard deviation of a position anywhere in a frame, as a fraction of the frame.
  static let frameJitter = 0.2887
  /// On a carrier, a change of tempo needs clocks that are off by this many periods.
  static let carrierMost = 1.5

  /// An interval shorter than this fraction of the period, and than this many nanoseconds, joins
  /// two clocks of one batch.
  static let shortPart = 0.15
  static let shortMost = 2.5e6
  /// The number of short intervals among the last 32 that makes batches, and below which they end.
  static let batched = 15
  static let unbatched = 10
  /// The same on a line that doubles clocks: with 15, three in ten doubled are batches by chance.
  static let batchedNotDoubled = 16

  /// Pairs that follow one another faster than this, in nanoseconds, are a master received twice,
  /// or two masters: 80 BPM.
  ///
  /// At slower tempi, frames of two thirds of a clock and buffers of two clocks also make pairs.
  static let pairedSpan = 31.25e6
  /// At slower tempi the clocks of a pair must be this close, in nanoseconds, in this number of
  /// consecutive checks: 192 pairs, in which a buffer that differs from two clocks by 0.6 % sends
  /// one or three.
  static let pairedClose = 5e6
  static let pairedChecks = 12
  /// The least difference of the two intervals of a pair from their mean, and the largest
  /// difference between pairs, as fractions of both.
  static let pairedPart = 0.15
  static let pairedSpread = 0.1

  /// Jitter above this fraction of the period, and below the second, blurs single intervals: a lost
  /// clock is found by the positions of the clocks after it.
  static let blurred = 0.06
  static let blurredOut = 0.3
  /// From this part of the period on, single intervals prove neither a loss nor a double.
  static let blurredIntervals = 0.1
  /// The least and the greatest delay of a clock, in periods, that may follow lost clocks.
  static let gapLate = 0.5
  static let gapMost = 46.5
  /// The tempo is steady if the mean square of its changes in the last 128 ticks is below that of
  /// 2.5 %; before 96 ticks it is not known.
  static let scatterMemory = 128.0
  static let scatterMost = 0.025 * 0.025
  static let scatterLeast = 96.0
  /// The standard deviation of the period up to which a loss can be proven, as a part of the period.
  static let gapDeviation = 0.004
  /// The number of clocks that may prove a loss: this many times the jitter as a part of the period,
  /// and at least five.
  static let gapProof = 56.0
  static let gapLeast = 5
  /// The most by which two lines may explain the clocks before and after a gap better than one does,
  /// as squares in variances: by chance they reach 20 once in 20,000.
  static let gapSquare = 20.0
  /// The least by which a line with a gap must explain them better than a tempo that moves.
  static let gapAgainstMotion = 16.0
  /// The most that arrivals scatter, in variances of the jitter as learnt.
  static let gapScatter = 3.0
  /// A clock that is more than this later than expected after the one that opened a watch, in periods,
  /// follows the real gap.
  static let gapNext = 1.25
  /// The largest distance of the newest clock from the line with the gap, in periods.
  static let gapWhole = 0.5
  /// The longest distance from a clock to its double, in periods.
  static let gapPair = 0.35
  /// The mean square of the distances from whole periods on the old line, in variances, up to which all
  /// clocks lie on it by some count.
  static let gapOnLine = 2.2

  /// Intervals longer or shorter than these, in periods, are checked on a line that blurs
  /// intervals.
  static let oddLong = 1.35
  static let oddShort = 0.55
  /// The number of arrivals around such an interval that are compared: at most and at least on one
  /// side, and at least on both sides.
  static let stepMost = 12.0
  static let stepLeast = 6.0
  static let stepBoth = 16.0
  /// The number of arrivals after the interval when it is judged, and before it.
  static let stepAfter = 16
  static let stepMemory = 24
  /// The longest interval among the arrivals that are compared, in periods.
  static let stepWhole = 1.7
  /// The variances of arrivals about their lines, as parts of a squared period: a carrier that does
  /// not jitter has less, and arrivals with more prove nothing.
  static let stepScatter = 0.0025...0.0625
  /// The largest difference of the tempo on both sides, and of the step from whole periods, as
  /// squares in variances.
  static let stepBend = 16.0
  static let stepOff = 9.0
  /// The least step that is a sign, in standard deviations; that is proof alone at a steady tempo;
  /// and that is proof at any tempo.
  static let signDeviations = 5.5
  static let sureDeviations = 7.0
  static let alwaysDeviations = 10.5
  /// The least scatter, as a part of the learnt jitter, at which the second of these is trusted.
  static let sureJitter = 0.8
  /// Signs in one direction that are this many arrivals apart or less are one.
  static let signDistance = 4
  /// The number of arrivals in which a sign must be settled, and the most signs that wait.
  static let signPatience = 64
  static let signsMost = 3
  /// The weight of unsettled signs from which on the count may be wrong, and the most arrivals from
  /// one such sign to the next.
  static let signsProof = 2
  static let signMemory = 300
  /// The least count at which a sign may correct it, and the number of arrivals for which a correction
  /// is remembered beyond that.
  static let correctionLeast: Int64 = 128
  static let correctionMemory = 1000

  /// The most doubles in a doubt that may be ticks of a faster tempo, and the largest change of the
  /// period, as a part of it, at which more of them are doubles.
  static let doublesInDoubt = 2
  static let unchangedDoubling = 0.1

  /// The largest standard deviation of the place of the newest tick in a doubt, in periods, at which the
  /// old period gives the count.
  static let settledMost = 0.1

  /// If losses are closer together than this many ticks, four equal intervals can still be losses:
  /// one tick in ten is lost, and among 100,000 ticks only this many in a row are lost by chance.
  static let lossyDistance = 50.0
  static let tempoProofWorse = 8
  static let lossLearning = 0.4

  /// The number of clocks in which a change of tempo to a whole number of periods can be undone, if
  /// the new period is at least this many old ones.
  static let recountAge = 6
  static let recountLeast = 1.5
}
