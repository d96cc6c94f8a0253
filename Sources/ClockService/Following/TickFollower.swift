// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Recovers a steady count from ticks with uneven arrival times, such as MIDI clocks and quarter
/// frames.
///
/// A Kalman filter on (time, period) learns the jitter of its input and detects changes of tempo by
/// replaying the last ticks. The follower also repairs the count: ticks that are lost, doubled or
/// delivered in a batch do not move the position. An update does not allocate memory.
///
/// - Note: Real-time safe. An update takes about a hundred operations; when a change of tempo is
///   suspected, one update takes up to some thousand operations.
public struct TickFollower: Sendable {
  /// The shortest supported time between two ticks, in nanoseconds; above zero.
  public let shortestPeriod: Double
  /// The number of ticks that are missing in the arrivals.
  public internal(set) var lost = 0
  /// The number of arrivals that were ignored as duplicates of a tick.
  public internal(set) var doubled = 0

  let isTrusted: Bool
  /// True if the master may be a player, whose tempo varies from tick to tick.
  let followsMotion: Bool
  var state = TickState()
  var phase = Phase.empty
  var history = TickHistory()
  /// The learnt jitter of arrivals, and the jitter that the filter assumes.
  var scatter = TickTuning.jitterAtStart
  var jitter = TickTuning.jitterAtStart
  var residuals = JitterWindow()
  private var lastResidual = 0.0
  /// The difference between consecutive ticks: jitter without slow variations.
  var tremble = TickTuning.jitterAtStart
  /// The same over more ticks.
  ///
  /// On a line that blurs intervals, the learnt jitter is not much less.
  var longTremble = 0.0
  var change = ChangeWatch()
  var frames = FramedTicks()
  /// Lines for a varying tempo; unused if `followsMotion` is false.
  var moving = MovingTicks()
  var doubt = CountDoubt()
  var recounted: Recount?
  var gap = GapWatch()
  /// The spread of the period, which distinguishes a player from a machine.
  var tempoScatter = TempoScatter()
  /// Signs that the count is wrong on a line that blurs intervals.
  var check = CountCheck()
  /// True if ticks were lost or doubled in an unknown number; a message with a position ends it.
  var isCountGuessed = false
  var carrier = CarrierCount()
  var recent = RecentArrivals()
  /// The number of arrivals, each of which may be a tick; `state.count` has the ticks.
  var arrived: Int64 = 0
  /// True if clocks arrive in batches, and the state before the last batch.
  var isBatched = false
  var batch = Batch()
  /// The count at the last proven loss: a line that loses ticks loses more.
  var lastLoss = Int64.min / 2
  /// The mean number of ticks between the last few proven losses.
  var lossDistance = Double(TickTuning.lossyTicks)
  /// The count at the last single late tick: a line that delays ticks does so again.
  var lastHeldUp = Int64.min / 2
  /// The last arrival that counted, and its distance from its prediction.
  var lastArrival: Int64 = 0
  var lateness = 0.0

  /// The knowledge of the follower.
  enum Phase {
    case empty, oneTick, following
  }

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - shortestPeriod: The shortest supported time between two ticks, in nanoseconds; above zero.
  ///   - expectedPeriod: The time between ticks to assume until the second tick, in nanoseconds;
  ///     above zero.
  ///   - isTrusted: True if the expected period is accurate to a few percent, so that it is
  ///     preferred to the first measured interval; false by default.
  ///   - followsMotion: True if the master's tempo may vary from tick to tick; false by default.
  public init(
    shortestPeriod: Double, expectedPeriod: Double, isTrusted: Bool = false,
    followsMotion: Bool = false
  ) {
    self.shortestPeriod = shortestPeriod
    self.followsMotion = followsMotion
    self.isTrusted = isTrusted
    state.period = expectedPeriod
  }

  /// Adds an arrival and decides which tick it is.
  ///
  /// - Parameter time: The time of arrival; a time before the last arrival is treated as the time
  ///   of that arrival.
  public mutating func update(at time: HostTime) {
    let arrival = max(time.nanoseconds, lastArrival)
    watchBatches(arrival)
    guard phase == .following else { return begin(at: arrival) }
    guard arrival - lastArrival <= silence else { return resume(at: arrival) }
    takeCounting(arrival)
  }

  /// Adds an arrival that is a known number of ticks after the last one.
  ///
  /// Use it for messages that contain their position, such as quarter frames.
  public mutating func update(at time: HostTime, steps: Int) {
    let arrival = max(time.nanoseconds, lastArrival)
    guard phase == .following else { return begin(at: arrival) }
    lost += steps - 1
    accept(arrival, steps)
  }

  /// Adds the first arrival after a Start, which is the next tick even if it does not fit the
  /// previous beat.
  ///
  /// The period is kept. If the arrival is consistent with the prediction, the predicted time is
  /// kept too.
  public mutating func updateAsDownbeat(at time: HostTime) {
    let arrival = max(time.nanoseconds, lastArrival)
    guard phase == .following else {
      // The distance from one stray tick to the first of a song is not a period.
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

  /// Restarts the count's timing at an arrival that is a number of ticks after the last one; the
  /// period is kept.
  public mutating func rephase(at time: HostTime, steps: Int) {
    gap.close()
    rephase(
      at: max(time.nanoseconds, lastArrival), steps: steps,
      periodDeviation: max(state.p22, 0).squareRoot())
  }

  /// Forgets everything except the count; the next arrival is a first one, one tick later.
  mutating func restart() {
    let count = state.count + 1
    self = TickFollower(
      shortestPeriod: shortestPeriod, expectedPeriod: max(state.period, 2 * shortestPeriod),
      followsMotion: followsMotion)
    state.count = count
  }

  /// True if only one tick has arrived, so that a period is not measured yet.
  var isFresh: Bool { phase == .oneTick || phase == .following && isTrusted && history.count < 1 }

  /// The silence after which the phase is learnt again, in nanoseconds.
  var silence: Int64 {
    @inline(__always)
    get { max(TickTuning.silence, Int64(4 * min(state.period, 1e15))) }
  }

  /// True if enough time has passed for ticks to be missing instead of late.
  func isOverdue(at now: HostTime) -> Bool {
    let silence = Double(now.nanoseconds - lastArrival)
    return silence > max(TickTuning.overdue * state.period, TickTuning.lateness)
  }

  /// True if ticks are counted as lost or doubled, or are not, without proof so far.
  var isUncertain: Bool {
    carrier.isUncertain || recounted != nil || gap.isLikely || isCountGuessed || isRepaired
  }

  /// Accepts the count as it is, because a message contained the position.
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

  /// The time of the last tick, and the period; from the frames of a bus if there are any.
  @inline(__always)
  var believed: (anchor: Int64, offset: Double, period: Double) {
    if let framed = frames.estimate { return framed }
    if isInMotion {
      let line = moving.line
      return (lastArrival, line.offset, line.period + 0.5 * line.drift)
    }
    return (state.anchor, state.offset, state.period)
  }

  /// True if the tempo varies; the effect of a carrier's frames on clocks does not count.
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
      // The silence after a stray tick is not a period.
      phase = .empty
      begin(at: arrival)
    } else if interval < shortestPeriod {
      // The last arrival was late.
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

  /// Resumes after a long silence, with an uncertain period and a new phase.
  ///
  /// Ticks were not lost, because the master was silent.
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

  /// Counts an arrival as the tick a number of steps later, and learns from it.
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
    // While the filter lags, the delay of ticks is not jitter, but its variation is.
    let isNew = state.count < TickTuning.ticksBeforeLag
    let difference = abs(residual - lastResidual) * 0.707_106_781
    residuals.push(isQuiet || isNew ? abs(residual) : difference)
    // The mean absolute value of a normal variable is its standard deviation / 1.2533.
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
