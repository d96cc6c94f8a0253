// SPDX-License-Identifier: Apache-2.0

/// What a follower remembers to tell lost, late and doubled ticks apart.
struct IndexRepair: BitwiseCopyable, Sendable {
  /// An arrival that may be a double.
  var held: Int64?
  /// Ticks counted as lost that may still come late.
  var credit = 0
  /// The count after the last gap: a line that loses ticks loses more.
  var lastGap = Int64.min / 2
  var isLossy = false
  /// Gaps of several periods in a row.
  var gapsInRow = 0
  /// The period and the count from before a verdict of a slower tempo, while it may be wrong.
  var undo: SlowerVerdict?
  /// Arrivals in a row that are evenly spaced and closer than the period, counted or not.
  var shortRun = ShortRun()
  /// A whole number of periods by which arrivals miss the prediction, and how often in a row.
  var slip: Int64 = 0
  var slipsInRow = 0

  struct SlowerVerdict: BitwiseCopyable, Sendable {
    var period: Double
    var lost: Int64
    var ticksLeft: Int
  }

  /// Even short intervals: when the first began, how many, and the ticks counted before them.
  struct ShortRun: BitwiseCopyable, Sendable {
    var start: Int64 = 0
    var last: Int64 = 0
    var length = 0
    var count: Int64 = 0
  }

  mutating func forget() { self = IndexRepair() }
}

extension TickFollower {
  /// Whether the prediction is good enough to judge an arrival by.
  @inline(__always)
  private var isPredictable: Bool {
    let most = 0.13 * state.period
    return state.count >= TickTuning.ticksBeforeRepair
      && state.p11 + state.p22 + jitter * jitter < most * most && change.isBelow(0.8)
  }

  mutating func takeRepaired(_ arrival: Int64) -> Outcome {
    if isMuchFaster(arrival) { return takeAsFaster(arrival) }
    reviewSlowerVerdict(arrival)
    var steps = 1
    if isPredictable {
      if let held = repair.held { review(held, before: arrival) }
      let gap = state.distance(to: arrival) / state.period
      let raw = Double(arrival - lastArrival) / state.period
      if gap < 0.42, raw < 0.55 || repair.credit > 0 { return setAside(arrival) }
      if gap > 1.6, raw > 1.5, abs(gap - gap.rounded()) < 0.35 || gap > 4 {
        steps = max(1, Int(gap.rounded()))
      }
    }
    repair.credit = steps - 1
    lost += steps - 1
    accept(arrival, steps)
    if steps == 1 { repair.gapsInRow = 0 } else { countGap(steps) }
    return .counted(steps: steps)
  }

  /// The arrival after a held one tells whether that was a tick of its own.
  private mutating func review(_ held: Int64, before arrival: Int64) {
    repair.held = nil
    let gap = state.distance(to: arrival) / state.period
    let sinceHeld = Double(arrival - held) / state.period
    if gap > 1.5 || (gap > 0.7 && sinceHeld > 0.1 && sinceHeld < 0.62) {
      accept(held, 1)
    } else {
      doubled += 1
    }
  }

  /// An arrival that comes too early for a tick: one counted as lost, or perhaps a double.
  private mutating func setAside(_ arrival: Int64) -> Outcome {
    guard repair.credit > 0 else {
      repair.held = arrival
      return .held
    }
    repair.credit -= 1
    lost -= 1
    repair.gapsInRow = 0
    return .dropped
  }

  /// Whether six even intervals show that what was set aside as doubles are ticks of their own.
  private mutating func isMuchFaster(_ arrival: Int64) -> Bool {
    var run = repair.shortRun
    let interval = Double(arrival - run.last)
    let mean = Double(run.last - run.start) / Double(max(run.length, 1))
    let isEven = run.length == 0 || abs(interval - mean) < 0.3 * mean
    if interval < 0.7 * state.period, interval >= shortestPeriod, isEven {
      run.length += 1
    } else {
      run.start = arrival
      run.length = 0
      run.count = state.count
    }
    run.last = arrival
    repair.shortRun = run
    return run.length >= 6 && state.count - run.count < Int64(run.length) - 2
  }

  /// The tempo is a multiple of what was believed: every arrival of the run is a tick.
  private mutating func takeAsFaster(_ arrival: Int64) -> Outcome {
    let run = repair.shortRun
    // The arrival that began the run is a tick of its own.
    let steps = run.count + 1 + Int64(run.length) - state.count
    state.period = Double(run.last - run.start) / Double(run.length)
    doubled = max(0, doubled - Int(steps) + 1)
    rephase(at: arrival, steps: Int(steps), periodDeviation: 0.3 * jitter)
    return .counted(steps: Int(steps))
  }

  /// Three gaps in a row are a slower tempo, not lost ticks; four, where ticks were lost before.
  private mutating func countGap(_ steps: Int) {
    repair.gapsInRow += 1
    let gaps = repair.gapsInRow
    if gaps == 1 { repair.isLossy = state.count - repair.lastGap < 1000 }
    repair.lastGap = state.count
    guard gaps >= (repair.isLossy ? 4 : 3), steps <= 4, history.count >= gaps else { return }
    var extra = 0
    for ago in 1...gaps {
      extra += history[ago: ago].steps - 1
      history[ago: ago].steps = 1
    }
    let before = history[ago: gaps].before
    repair.undo = .init(period: before.period, lost: Int64(extra), ticksLeft: 4)
    repair.gapsInRow = 0
    repair.credit = 0
    lost -= extra
    replayWideOpen(from: gaps)
  }

  /// Learns the period from the last ticks alone.
  private mutating func replayWideOpen(from ago: Int) {
    state = history[ago: ago].before
    state.decouple()
    state.p11 += (0.3 * jitter) * (0.3 * jitter)
    state.p22 = 9 * state.period * state.period
    state.settling = 1
    for index in stride(from: ago, to: 0, by: -1) {
      history[ago: index].before = state
      history[ago: index].logLikelihood = -0.5
      state.predict(1, wander: wander, jitter: jitter)
      state.updateUnlimited(history[ago: index].arrival, jitter: jitter)
    }
    change.clear()
  }

  /// Where the old period comes back at once, ticks had been lost after all.
  private mutating func reviewSlowerVerdict(_ arrival: Int64) {
    guard var undo = repair.undo else { return }
    undo.ticksLeft -= 1
    repair.undo = undo.ticksLeft > 0 ? undo : nil
    guard abs(Double(arrival - lastArrival) / undo.period - 1) < 0.2,
      abs(state.period / undo.period - 1) > 0.5
    else { return }
    state.count += undo.lost
    lost += Int(undo.lost)
    state.period = undo.period
    state.decouple()
    state.p22 = (0.01 * undo.period) * (0.01 * undo.period)
    repair.undo = nil
  }

  /// Arrivals that keep missing by the same whole number of periods: the index was wrong.
  mutating func correctSlip(_ periods: Double) {
    guard abs(periods) > 0.7 else { return repair.slipsInRow = 0 }
    let whole = periods.rounded()
    guard abs(periods - whole) < 0.22, abs(whole) < 1e6 else { return }
    repair.slipsInRow = Int64(whole) == repair.slip ? repair.slipsInRow + 1 : 1
    repair.slip = Int64(whole)
    guard repair.slipsInRow >= 3 else { return }
    state.count += repair.slip
    state.offset += whole * state.period
    lost += Int(repair.slip)
    repair.slipsInRow = 0
    change.clear()
  }
}
