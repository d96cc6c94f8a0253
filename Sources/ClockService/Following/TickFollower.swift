// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Recovers a steady count from ticks whose arrival times jitter: MIDI clocks, quarter frames.
///
/// A Kalman filter on (time, period) that learns how much its input jitters, looks for changes of
/// tempo by replaying the last ticks, and repairs the *index*: ticks that were lost, doubled or
/// delivered in a bunch move nothing. All state is in the value; an update allocates nothing.
///
/// - Note: Real-time safe. One update is about a hundred operations; a suspected change of tempo
///   costs up to some thousand steps of the filter, once.
public struct TickFollower: Sendable {
  /// The shortest period that is believed, in nanoseconds; above zero.
  public let shortestPeriod: Double
  /// Ticks taken to be lost on the way, so far.
  public internal(set) var lost = 0
  /// Arrivals taken to be doubles of a tick, so far.
  public internal(set) var doubled = 0

  let isTrusted: Bool
  /// Whether the master may be a player, whose tempo moves from tick to tick.
  let followsMotion: Bool
  var state = TickState()
  var phase = Phase.empty
  var history = TickHistory()
  /// How far arrivals scatter, as learnt, and what the filter takes it to be.
  var scatter = TickTuning.jitterAtStart
  var jitter = TickTuning.jitterAtStart
  var residuals = JitterWindow()
  private var lastResidual = 0.0
  /// How much one tick is off the next: jitter without what sways.
  var tremble = TickTuning.jitterAtStart
  /// The same over more ticks; on a line that blurs intervals, learnt jitter is not much less.
  var longTremble = 0.0
  var change = ChangeWatch()
  var frames = FramedTicks()
  /// Lines for a tempo that moves; they stay at their start where `followsMotion` is false.
  var moving = MovingTicks()
  var doubt = CountDoubt()
  var recounted: Recount?
  var gap = GapWatch()
  /// The spread of the period, by which a player differs from a machine.
  var tempoScatter = TempoScatter()
  /// Signs that the count is off on a line that blurs intervals.
  var check = CountCheck()
  /// Whether ticks were lost or doubled without proof of how many; a place that is named ends it.
  var isCountGuessed = false
  var carrier = CarrierCount()
  var recent = RecentArrivals()
  /// Arrivals, each of which may be a tick; what they were taken for is in `state.count`.
  var arrived: Int64 = 0
  /// Whether clocks come in batches, and what was believed before the last.
  var isBatched = false
  var batch = Batch()
  /// The count at the last loss that was proven: a line that loses ticks loses more.
  var lastLoss = Int64.min / 2
  /// Ticks from one proven loss to the next, in the mean of the last few.
  var lossDistance = Double(TickTuning.lossyTicks)
  /// The count at the last tick that came late by itself: a line that holds ticks up does it again.
  var lastHeldUp = Int64.min / 2
  /// The last arrival that counted, and its distance from where it was expected.
  var lastArrival: Int64 = 0
  var lateness = 0.0

  /// How much is known.
  enum Phase {
    case empty, oneTick, following
  }

  /// Creates a follower that knows nothing yet.
  ///
  /// - Parameters:
  ///   - shortestPeriod: The shortest period that is believed, in nanoseconds; above zero.
  ///   - expectedPeriod: A period to assume until the second tick; above zero.
  ///   - isTrusted: Whether the expected period is right within a few parts of a hundred, so that
  ///     it is worth more than the first interval.
  ///   - followsMotion: Whether the master may be a player, whose tempo moves from tick to tick.
  public init(
    shortestPeriod: Double, expectedPeriod: Double, isTrusted: Bool = false,
    followsMotion: Bool = false
  ) {
    self.shortestPeriod = shortestPeriod
    self.followsMotion = followsMotion
    self.isTrusted = isTrusted
    state.period = expectedPeriod
  }

  /// Takes an arrival and decides which tick it is.
  ///
  /// - Parameter time: When it arrived; an instant before the last arrival counts as that one.
  public mutating func update(at time: HostTime) {
    let arrival = max(time.nanoseconds, lastArrival)
    watchBatches(arrival)
    guard phase == .following else { return begin(at: arrival) }
    guard arrival - lastArrival <= silence else { return resume(at: arrival) }
    takeCounting(arrival)
  }

  /// Takes an arrival that is known to be a number of ticks after the last one.
  ///
  /// For messages that name their place, such as quarter frames.
  public mutating func update(at time: HostTime, steps: Int) {
    let arrival = max(time.nanoseconds, lastArrival)
    guard phase == .following else { return begin(at: arrival) }
    lost += steps - 1
    accept(arrival, steps)
  }

  /// Takes an arrival that is the next tick whatever the phase was: the first one after a Start.
  ///
  /// The period is kept. Where the arrival fits the prediction the phase is kept too.
  public mutating func updateAsDownbeat(at time: HostTime) {
    let arrival = max(time.nanoseconds, lastArrival)
    guard phase == .following else {
      // The distance from one stray tick to the first of a song is no period.
      if phase == .oneTick { state.count += 1 }
      phase = .empty
      return begin(at: arrival)
    }
    settleCount()
    recent.add(arrival, period: state.period, shortest: shortestPeriod)
    defer { batch = Batch(self) }
    var expected = state
    expected.predict(1, wander: wander, jitter: jitter)
    let distance = expected.distance(to: arrival)
    let spread = expected.p11 + jitter * jitter
    if distance * distance <= TickTuning.downbeat * spread, arrival - lastArrival <= silence {
      accept(arrival, 1)
    } else {
      rephase(at: arrival, steps: 1, periodDeviation: state.p22.squareRoot())
    }
  }

  /// Begins anew at an arrival, a number of ticks after the last one, with the period kept.
  public mutating func rephase(at time: HostTime, steps: Int) {
    gap.close()
    rephase(
      at: max(time.nanoseconds, lastArrival), steps: steps,
      periodDeviation: max(state.p22, 0).squareRoot())
  }

  /// Forgets everything; the next arrival is a first one, one tick on.
  mutating func restart() {
    let count = state.count + 1
    self = TickFollower(
      shortestPeriod: shortestPeriod, expectedPeriod: max(state.period, 2 * shortestPeriod),
      followsMotion: followsMotion)
    state.count = count
  }

  /// Whether only one tick has arrived, so that no period is measured yet.
  var isFresh: Bool { phase == .oneTick || phase == .following && isTrusted && history.count < 1 }

  /// The silence after which the phase is learnt anew, in nanoseconds.
  var silence: Int64 {
    @inline(__always)
    get { max(TickTuning.silence, Int64(4 * min(state.period, 1e15))) }
  }

  /// Whether so much time has passed that ticks must be missing, and are not only late.
  func isOverdue(at now: HostTime) -> Bool {
    let silence = Double(now.nanoseconds - lastArrival)
    return silence > max(TickTuning.overdue * state.period, TickTuning.lateness)
  }

  /// Whether ticks are counted as lost or doubled, or are not, without proof as yet.
  var isUncertain: Bool {
    carrier.isUncertain || recounted != nil || gap.isLikely || isCountGuessed || isRepaired
  }

  /// Takes the count as it stands: its place was named.
  mutating func settleCount() {
    doubt.close()
    gap.close()
    (recounted, isCountGuessed) = (nil, false)
    check.restart(excess: state.count - arrived)
    carrier.settle()
  }

  /// The straight line through the last tick, in ticks from another one.
  @inline(__always)
  func line(countingFrom origin: Int64) -> TickLine {
    let (anchor, offset, period) = believed
    return TickLine(
      count: state.count - origin, anchor: anchor, offset: offset, period: period,
      isMoving: isInMotion || followsMotion && change.age < TickTuning.ticksOfChange,
      isNewTempo: change.age == 0, slower: slower(than: period, anchor, offset, origin))
  }

  /// When the last tick was, and the period: by the frames of a bus where there are such.
  @inline(__always)
  var believed: (anchor: Int64, offset: Double, period: Double) {
    if let framed = frames.estimate { return framed }
    if isInMotion {
      let line = moving.line
      return (lastArrival, line.offset, line.period + 0.5 * line.drift)
    }
    return (state.anchor, state.offset, state.period)
  }

  /// Whether the tempo moves; what a carrier's frames do to clocks is no motion.
  var isInMotion: Bool {
    @inline(__always)
    get { moving.isMoving && !carrier.isCarrier }
  }

  var wander: Double {
    @inline(__always)
    get { TickTuning.wander * change.wander }
  }

  private mutating func begin(at arrival: Int64) {
    if phase == .empty {
      let part = isTrusted ? TickTuning.trustedPeriod : TickTuning.guessedPeriod
      state.rephase(at: arrival, jitter: jitter, periodDeviation: part * state.period)
      phase = isTrusted ? .following : .oneTick
      if followsMotion { moving.restart(period: state.period) }
      lastArrival = arrival
      return
    }
    state.count += 1
    let interval = Double(arrival - lastArrival)
    let most = max(Double(silence), followsMotion ? TickTuning.longestInterval : 0)
    if interval > most {
      // What silence parts from a stray tick is no period.
      phase = .empty
      begin(at: arrival)
    } else if interval < shortestPeriod {
      // The one before was late.
      lastArrival = arrival
    } else {
      state.period = interval
      state.rephase(at: arrival, jitter: jitter, periodDeviation: 1.414_213_562 * jitter)
      state.p12 = state.p11
      phase = .following
      lastArrival = arrival
      if followsMotion { moving.restart(period: state.period) }
    }
  }

  /// After a long silence the period is a guess and the phase is new; nothing was lost: the master
  /// was silent.
  private mutating func resume(at arrival: Int64) {
    carrier.forget()
    gap.close()
    check.restart(excess: state.count - arrived)
    let periods = (state.distance(to: arrival) / state.period).rounded()
    let steps = max(1, Int(min(periods, 1e9)))
    rephase(at: arrival, steps: steps, periodDeviation: TickTuning.resumedPeriod * state.period)
  }

  mutating func rephase(at arrival: Int64, steps: Int, periodDeviation: Double) {
    state.count += Int64(steps)
    state.rephase(at: arrival, jitter: jitter, periodDeviation: periodDeviation)
    history.removeAll()
    change.clear()
    frames.restart()
    doubt.close()
    recounted = nil
    lastArrival = arrival
    lateness = 0
    if followsMotion { moving.restart(period: state.period) }
  }

  /// Counts an arrival as the tick a number of steps on, and learns from it.
  mutating func accept(_ arrival: Int64, _ steps: Int) {
    var entry = TickHistory.Entry(arrival: arrival, steps: steps, before: state)
    state.predict(steps, wander: wander, jitter: jitter)
    let before = lateness
    lateness = state.distance(to: arrival)
    if followsMotion {
      noteHeldUp(before)
      if state.count > TickTuning.ticksBeforeRepair { tempoScatter.add(state.period) }
    }
    let innovation = state.update(arrival, jitter: jitter, shortest: shortestPeriod)
    entry.logLikelihood = innovation.logLikelihood
    entry.distance = lateness
    history.append(entry)
    if followsMotion {
      moving.add(
        steps: steps, elapsed: Double(arrival - lastArrival), miss: lateness,
        shortest: shortestPeriod, isKnownToMove: change.isRecent)
    }
    lastArrival = arrival
    frames.add(arrival, steps: steps, period: state.period)
    if steps == 1 { learnJitter(innovation.residual) }
    if carrier.isCarrier, abs(lateness) < CountTuning.carrierMost * state.period {
      change.clear()
    } else {
      watchForChange(innovation, steps)
    }
  }

  private mutating func learnJitter(_ residual: Double) {
    let isQuiet = change.isBelow(TickTuning.calm)
    // Where the filter lags, what ticks are late by is no jitter, but how that differs is.
    let isNew = state.count < TickTuning.ticksBeforeLag
    let difference = abs(residual - lastResidual) * 0.707_106_781
    residuals.push(isQuiet || isNew ? abs(residual) : difference)
    // A normal number's mean distance from zero is 1 / 1.2533 of its s.d.
    let trembled = 1.2533 * min(difference, TickTuning.trembleMost * jitter)
    tremble += TickTuning.trembleLearning * (trembled - tremble)
    longTremble += TickTuning.longTrembleLearning * (trembled - longTremble)
    lastResidual = residual
    change.hot = isQuiet ? 0 : change.hot + 1
    guard residuals.count >= TickTuning.leastResiduals,
      isQuiet || state.count < TickTuning.ticksBeforeCalm || change.hot > TickTuning.hotMost
    else { return }
    let range = TickTuning.scatterRange
    let measured = min(max(1.4826 * residuals.median, range.lowerBound), range.upperBound)
    let ratio = measured / scatter
    let isSteady =
      !isNew && ratio > TickTuning.steadyLeast && ratio < TickTuning.steadyMost
    scatter += (isSteady ? TickTuning.jitterLearning : 1) * (measured - scatter)
    if followsMotion, isFaulty || longTremble > CountTuning.blurred * state.period {
      let least = isFaulty ? TickTuning.trembleFaulty : TickTuning.trembleLeast
      scatter = max(scatter, least * longTremble)
    }
    setJitter()
  }
}
