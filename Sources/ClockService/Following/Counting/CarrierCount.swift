// SPDX-License-Identifier: Apache-2.0

/// Decides whether odd intervals are lost and doubled clocks, or are caused by a carrier whose
/// frames have nearly the clock's period.
///
/// A carrier that delivers in frames of about a clock has two frames without a clock, or two clocks
/// in a frame, at regular distances. These follow from the tempo, and the count of arrivals is
/// right. Losses and doubles are random, and are repaired. The evidence is the logarithm of how
/// much more likely the distances are with a carrier than by chance. Until there is enough
/// evidence, odd intervals are repaired; then all of these repairs are undone at once.
struct CarrierCount: BitwiseCopyable, Sendable {
  /// A kind of odd interval.
  enum Oddity: Int64 {
    /// Two frames without a clock.
    case gap = 1
    /// Two clocks in one frame.
    case pair = -1
  }

  /// A count to which the follower can return.
  struct Base: BitwiseCopyable {
    /// Ticks counted beyond those that arrived.
    var excess: Int64 = 0
    var lost = 0
    var doubled = 0
  }

  /// A correction of the count.
  enum Verdict {
    case none
    /// The line is a carrier: repairs are undone.
    case takeBack(Base)
    /// The line is not a carrier: clocks are added to those that have arrived since.
    case repair(Base, clocks: Int64)
  }

  /// True if every arrival counts as a clock.
  private(set) var isCarrier = false
  private var evidence = 0.0
  /// Arrivals since the last odd interval, and from each odd interval to the next.
  private var since = 0
  private var distance = 0.0
  /// The number of consecutive odd intervals of one kind.
  private var count = 0
  private var kind = Oddity.gap
  private var isExact = false
  /// The clocks to add if all of them were losses and doubles, and the count before them.
  private var sum: Int64 = 0
  private var base = Base()
  /// The count before the last odd interval, its distance from the previous one, and its evidence.
  private var last = Base()
  private var lastBetween = 0.0
  private var lastGain = 0.0
  /// Arrivals before the last odd interval that was compensated.
  private var carried = 0.0
  /// An odd interval that is not decided yet, because the next one may compensate it.
  private var held = false
  private var heldKind = Oddity.gap
  private var heldBase = Base()
  private var heldAge = 0
  private var isHeldExact = false

  /// The number of times that odd intervals were at random.
  ///
  /// On a line that loses clocks for long, several distances are alike by chance.
  private var random = 0.0

  /// True if odd intervals may turn out to be caused by a carrier, or to be losses on a carrier.
  var isUncertain: Bool {
    isCarrier
      ? evidence < CountTuning.carrier
      : count > 1 && (isExact || evidence > CountTuning.suspected)
  }

  /// The period of clocks for a frame of a given length.
  func period(frame: Double) -> Double {
    frame * (1 + Double(kind.rawValue) / max(distance, 1))
  }

  /// The uncertainty of that period.
  func deviation(frame: Double) -> Double {
    frame * (CountTuning.periodPart + 1 / max(distance * distance, 1))
  }

  /// Counts an arrival.
  @inline(__always)
  mutating func pass() { since += 1 }

  /// Stores an odd interval that ends at the last arrival.
  ///
  /// If it soon follows one of the other kind, they compensate each other: a clock was held up
  /// until the next one.
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

  /// Notes an odd interval after intervals that are not whole frames, which a carrier does not
  /// produce.
  mutating func passOffGrid() {
    if !isCarrier { evidence -= CountTuning.offGrid }
  }

  /// True if an odd interval can be judged.
  var isDue: Bool { held && since >= CountTuning.patience }

  /// Judges the stored odd interval.
  mutating func judge() -> Verdict {
    held = false
    let between = Double(heldAge) + carried
    carried = 0
    guard count > 0, heldAge < CountTuning.forgotten else {
      return isCarrier ? doubtCarrier(between) : begin()
    }
    if between < CountTuning.leastDistance {
      // Frames with such a difference from the period look like jitter, and every arrival counts.
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

  /// The evidence from an odd interval, by its distance from the position that a carrier predicts;
  /// nil if it is too far off.
  private func gain(_ miss: Double) -> Double? {
    if miss < CountTuning.distanceLeast { return logarithm(distance) }
    if miss < CountTuning.distanceNear * distance { return CountTuning.nearGain }
    return miss < CountTuning.distanceRough * distance ? CountTuning.roughGain : nil
  }

  /// Jitter of the master can move a clock over the edge of its frame and back.
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

  /// The odd intervals were random so far; the last two may begin a carrier.
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

  /// An unexpected odd interval on a carrier: its tempo changed, or the line is not a carrier.
  private mutating func doubtCarrier(_ between: Double) -> Verdict {
    if heldKind != kind { sum += heldKind.rawValue }
    kind = heldKind
    (distance, count, last, lastBetween) = (max(between, 1), max(count, 2), heldBase, between)
    return weaken()
  }

  /// Notes an interval that the frames of a carrier do not explain.
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

  /// Accepts the count as it is.
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

  /// Approximately the logarithm of a third of a distance, which chance matches within one clock.
  private func logarithm(_ distance: Double) -> Double {
    var (rest, sum) = (distance / 3, 0.0)
    while rest > 2 {
      rest *= 0.5
      sum += 0.693
    }
    return min(max(sum + rest - 1, 0), CountTuning.gainMost)
  }
}
