// SPDX-License-Identifier: Apache-2.0

/// Decides whether odd intervals are losses and doubles, or a carrier whose frame is near the
/// clock's period.
///
/// A carrier that delivers in frames of nearly a clock shows two frames without a clock, or two
/// clocks in a frame, again and again at one distance: that *is* the tempo, and what arrives is the
/// count. Losses and doubles come at random, and are repaired. The evidence is the logarithm of how
/// much likelier a carrier makes the distances than chance does. Until it is sufficient odd intervals
/// are repaired; then all those repairs are taken back at once.
struct CarrierCount: BitwiseCopyable, Sendable {
  /// An interval that is odd.
  enum Oddity: Int64 {
    /// Two frames without a clock.
    case gap = 1
    /// Two clocks in one frame.
    case pair = -1
  }

  /// A count that can be gone back to.
  struct Base: BitwiseCopyable {
    /// Ticks counted beyond those that arrived.
    var excess: Int64 = 0
    var lost = 0
    var doubled = 0
  }

  /// A correction of the count.
  enum Verdict {
    case none
    /// It is a carrier after all: repairs are taken back.
    case takeBack(Base)
    /// It is none after all: clocks are added to what arrived since.
    case repair(Base, clocks: Int64)
  }

  /// Whether what arrives is the count.
  private(set) var isCarrier = false
  private var evidence = 0.0
  /// Arrivals since the last odd interval, and from each to the next.
  private var since = 0
  private var distance = 0.0
  /// How many odd intervals there were in a row, all of one kind.
  private var count = 0
  private var kind = Oddity.gap
  private var isExact = false
  /// Clocks to add if all of them were losses and doubles, and the count before them.
  private var sum: Int64 = 0
  private var base = Base()
  /// The count before the last odd interval, its distance from the one before, and what it said.
  private var last = Base()
  private var lastBetween = 0.0
  private var lastGain = 0.0
  /// Arrivals before the last odd interval that was made good.
  private var carried = 0.0
  /// An odd interval about which nothing is decided yet: the next may make it good.
  private var held = false
  private var heldKind = Oddity.gap
  private var heldBase = Base()
  private var heldAge = 0
  private var isHeldExact = false

  /// The number of times that odd intervals were at random.
  ///
  /// On a line that loses clocks for long, several distances are alike by chance.
  private var random = 0.0

  /// Whether odd intervals may turn out to be a carrier's, or a carrier's losses.
  var isUncertain: Bool {
    isCarrier
      ? evidence < CountTuning.carrier
      : count > 1 && (isExact || evidence > CountTuning.suspected)
  }

  /// The period of clocks on frames of a length.
  func period(frame: Double) -> Double {
    frame * (1 + Double(kind.rawValue) / max(distance, 1))
  }

  /// How far that may be off.
  func deviation(frame: Double) -> Double {
    frame * (CountTuning.periodPart + 1 / max(distance * distance, 1))
  }

  /// Takes an arrival.
  @inline(__always)
  mutating func pass() { since += 1 }

  /// Takes an odd interval, which ends at the arrival just passed.
  ///
  /// One that follows closely on one of the other kind makes that good: a clock was held up until
  /// the next came.
  mutating func hold(_ oddity: Oddity, _ base: Base, isExact: Bool) {
    if held, heldKind != oddity {
      since += heldAge
      held = false
      return
    }
    if held, isCarrier, heldKind == kind { sum += kind.rawValue }
    (held, heldKind, heldBase, isHeldExact) = (true, oddity, base, isExact)
    heldAge = since
    since = 0
  }

  /// Takes an odd interval after some that were off whole frames, as they never are on a carrier.
  mutating func passOffGrid() {
    if !isCarrier { evidence -= CountTuning.offGrid }
  }

  /// Whether an odd interval waits to be judged.
  var isDue: Bool { held && since >= CountTuning.patience }

  /// Judges the odd interval that waits.
  mutating func judge() -> Verdict {
    held = false
    let between = Double(heldAge) + carried
    carried = 0
    guard count > 0, heldAge < CountTuning.forgotten else {
      return isCarrier ? doubtCarrier(between) : begin()
    }
    if between < CountTuning.leastDistance {
      // Frames that far from the period look like jitter, and what arrives is counted.
      guard isCarrier else { return begin() }
      sum += heldKind.rawValue
      return .none
    }
    guard heldKind == kind else {
      if count > 1, between < CountTuning.returned * distance { return takeLastBack(between) }
      return isCarrier ? doubtCarrier(between) : begin()
    }
    defer { (last, lastBetween) = (heldBase, between) }
    sum += kind.rawValue
    count += 1
    lastGain = 0
    guard count > 2 else {
      distance = between
      return .none
    }
    guard let gain = gain(abs(between - distance)) else {
      return isCarrier ? doubtCarrier(between) : restart(between)
    }
    lastGain = gain
    evidence = min(evidence + gain, CountTuning.evidenceMost)
    distance += (between - distance) / Double(min(count - 1, 8))
    if isCarrier {
      if evidence == CountTuning.evidenceMost { (sum, base, random) = (0, heldBase, 0) }
      return .none
    }
    guard evidence >= CountTuning.carrier else { return .none }
    isCarrier = true
    return .takeBack(base)
  }

  /// The evidence from an odd interval, by its distance from the place that a carrier predicts; nil if
  /// it is too far off.
  private func gain(_ miss: Double) -> Double? {
    if miss < CountTuning.distanceLeast { return logarithm(distance) }
    if miss < CountTuning.distanceNear * distance { return CountTuning.nearGain }
    return miss < CountTuning.distanceRough * distance ? CountTuning.roughGain : nil
  }

  /// A master that jitters takes a clock over the edge of its frame and back.
  private mutating func takeLastBack(_ between: Double) -> Verdict {
    sum -= kind.rawValue
    count -= 1
    evidence -= lastGain
    carried = between + lastBetween
    return .none
  }

  private mutating func begin() -> Verdict {
    (last, lastBetween) = (heldBase, 0)
    (count, kind, sum, base, distance) = (1, heldKind, heldKind.rawValue, heldBase, 0)
    isExact = isHeldExact
    evidence = isExact ? 0 : inexact
    return .none
  }

  /// The odd intervals were at random so far; the last two may begin a carrier's.
  private mutating func restart(_ between: Double) -> Verdict {
    (count, sum, base, distance) = (2, 2 * kind.rawValue, last, between)
    isExact = false
    random += 1
    evidence = isHeldExact ? CountTuning.random : inexact
    return .none
  }

  /// The evidence at the start on a line that jitters.
  private var inexact: Double {
    CountTuning.inexact - min(random * CountTuning.inexactRandom, CountTuning.inexactMost)
  }

  /// An odd interval out of turn on a carrier: its tempo changed, or it is none.
  private mutating func doubtCarrier(_ between: Double) -> Verdict {
    if heldKind != kind { sum += heldKind.rawValue }
    kind = heldKind
    (distance, count, last, lastBetween) = (max(between, 1), max(count, 2), heldBase, between)
    return weaken()
  }

  /// Takes an interval that a carrier's frames do not explain.
  mutating func weaken() -> Verdict {
    guard isCarrier else {
      forget()
      return .none
    }
    evidence -= CountTuning.unlike
    guard evidence <= 0 else { return .none }
    let verdict = Verdict.repair(base, clocks: sum)
    forget()
    return verdict
  }

  /// Takes the count as it stands.
  mutating func settle() {
    guard isCarrier else { return forget() }
    sum = 0
    evidence = CountTuning.evidenceMost
  }

  /// Forgets all but the number of times that odd intervals were at random.
  mutating func forget() {
    let random = random
    self = CarrierCount()
    self.random = random
  }

  /// About the logarithm of a third of a distance, which chance meets within one clock.
  private func logarithm(_ distance: Double) -> Double {
    var (rest, sum) = (distance / 3, 0.0)
    while rest > 2 {
      rest *= 0.5
      sum += 0.693
    }
    return min(max(sum + rest - 1, 0), CountTuning.gainMost)
  }
}
