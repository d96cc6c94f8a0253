// SPDX-License-Identifier: Apache-2.0

/// Detects losses and doubles that were not counted, on lines whose jitter blurs intervals.
///
/// If many clocks are lost, the filter takes the losses for a tempo that moves, and nothing else
/// shows that the count is off. After each long or short interval the arrivals on both sides are
/// compared. If the lines through them are whole periods apart, that is a sign of a loss or a
/// double. If the count is not corrected in time, it may be wrong.
struct CountCheck: BitwiseCopyable, Sendable {
  /// Signs of one kind that are not settled yet.
  private struct Open: BitwiseCopyable {
    /// Below zero if the count was corrected before a sign.
    private var count = 0
    private var weight = 0
    private var age = 0

    var isEmpty: Bool { count <= 0 }

    mutating func add(_ weight: Int) {
      count += 1
      self.weight = count > 0 ? self.weight + weight : 0
      age = 0
    }

    /// Settles one sign by a correction of the count, which may precede the sign.
    mutating func settle() {
      count = max(count - 1, -2)
      if count <= 0 { weight = 0 }
      age = 0
    }

    /// Takes an arrival.
    ///
    /// - Returns: The weight of the signs that were not settled in time.
    @inline(__always)
    mutating func pass() -> Int {
      guard count != 0 else { return 0 }
      age += 1
      let most = count > 0 ? CountTuning.signPatience : CountTuning.stepAfter + 2
      guard age > most || count > CountTuning.signsMost else { return 0 }
      defer { self = Open() }
      return weight
    }
  }

  /// One bit per arrival, the newest lowest: set after a long or short interval.
  private var odd: UInt32 = 0
  /// The same for a tempo that moved.
  private var moved: UInt32 = 0
  private var losses = Open()
  private var doubles = Open()
  /// The ticks counted, less the arrivals.
  private var excess: Int64 = 0
  /// Arrivals since that changed.
  private var unchanged = 0
  /// Arrivals since the last sign, and its direction.
  private var since = 0
  private var direction = 0
  /// The weight of signs that were never settled, and the arrivals since the last of them.
  private var evidence = 0
  private var age = 0

  /// Notes the interval before a new arrival, long or short on a line that blurs intervals.
  ///
  /// - Returns: True if an earlier long or short interval can be judged now.
  @inline(__always)
  mutating func note(_ isOdd: Bool, isMoving: Bool) -> Bool {
    odd = odd << 1 | (isOdd ? 1 : 0)
    moved = moved << 1 | (isMoving ? 1 : 0)
    return odd >> UInt32(CountTuning.stepAfter) & 1 != 0
  }

  /// Looks for a loss or a double in the interval that can be judged.
  ///
  /// - Parameters:
  ///   - recent: The arrivals.
  ///   - period: Nanoseconds between clocks, approximately.
  ///   - jitter: The jitter as learnt.
  ///   - corrects: True if the count may be corrected.
  /// - Returns: The number of clocks missing there, if the count did not change since and the arrivals
  ///   around are proof; 0 if not.
  mutating func judge(
    _ recent: RecentArrivals, period: Double, jitter: Double, corrects: Bool
  ) -> Int {
    let ago = CountTuning.stepAfter
    guard recent.count > ago + CountTuning.stepMemory,
      let fit = StepFit(recent, ago: ago, period: period),
      fit.deviations > CountTuning.signDeviations
    else { return 0 }
    let isSame = fit.missing.signum() == direction && since <= CountTuning.signDistance
    (direction, since) = (fit.missing.signum(), 0)
    guard !isSame else { return 0 }
    if corrects, isFirst, unchanged > ago + 1, fit.missing > 0,
      fit.deviations > CountTuning.sureDeviations,
      let gap = GapWatch(recent, ago: ago, missing: fit.missing, period: period, jitter: jitter),
      gap.advantage > CountTuning.gapAgainstMotion
    {
      excess += Int64(fit.missing)
      // A line that lost one clock loses others: for long the next sign is not the first.
      (evidence, age) = (1, -CountTuning.correctionMemory)
      return fit.missing
    }
    // By chance arrivals may scatter less than usual.
    let usual = min(1, fit.scatter * period / (CountTuning.sureJitter * jitter))
    let isMoving = moved >> UInt32(ago) & 1 != 0
    let isProof =
      fit.deviations > CountTuning.alwaysDeviations
      || !isMoving && usual * fit.deviations > CountTuning.sureDeviations
    if direction > 0 { losses.add(isProof ? 2 : 1) } else { doubles.add(isProof ? 2 : 1) }
    return 0
  }

  /// False if other signs wait, or were not settled shortly before.
  private var isFirst: Bool {
    losses.isEmpty && doubles.isEmpty && (evidence == 0 || age > CountTuning.signMemory)
  }

  /// Takes an arrival that was counted.
  ///
  /// - Returns: True if the signs show that the count may be wrong.
  @inline(__always)
  mutating func pass(excess: Int64) -> Bool {
    unchanged = excess == self.excess ? unchanged + 1 : 0
    if excess > self.excess { losses.settle() }
    if excess < self.excess { doubles.settle() }
    self.excess = excess
    since += 1
    age += 1
    let weight = losses.pass() + doubles.pass()
    guard weight > 0 else { return false }
    evidence = age > CountTuning.signMemory ? weight : evidence + weight
    age = 0
    return evidence >= CountTuning.signsProof
  }

  /// Forgets all signs.
  mutating func restart(excess: Int64) {
    self = CountCheck()
    self.excess = excess
  }
}
