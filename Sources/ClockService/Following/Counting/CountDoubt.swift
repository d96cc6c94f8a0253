// SPDX-License-Identifier: Apache-2.0

/// Arrivals since one at an unusual distance, and the state before it.
///
/// Each arrival counts as a tick, until a loss or a double is proven by ticks that continue as
/// before after the gap. Until then both states are kept: the more likely one is published, and the
/// follower can return to the other.
struct CountDoubt: BitwiseCopyable, Sendable {
  static let capacity = 24

  private(set) var isOpen = false
  /// True if the ticks before were even enough to recognise a loss.
  private(set) var isRepairable = false
  /// The state before the first of the arrivals.
  private(set) var before = TickState()
  private(set) var lost = 0
  private(set) var doubled = 0
  /// The arrivals, and their number.
  private(set) var count = 0
  private var arrivals = InlineArray<24, Int64>(repeating: 0)
  /// The arrival before the first.
  private var origin: Int64 = 0
  /// The number of consecutive ticks at the expected distance.
  var inOrder = 0

  /// The most ticks that the intervals may have lost: 1 for each interval of 1.4 periods or more.
  private(set) var mostLost: Int64 = 0
  /// The number of arrivals that were as close to the one before as a double.
  private(set) var mostDoubled: Int64 = 0
  /// True if a longer interval was followed by one of a period: ticks were lost, or one was late.
  private(set) var hasResumed = false

  /// Begins after a tick.
  mutating func open(
    after arrival: Int64, _ state: TickState, isRepairable: Bool, lost: Int, doubled: Int
  ) {
    (isOpen, before, origin) = (true, state, arrival)
    (count, inOrder, mostLost, mostDoubled, hasResumed) = (0, 0, 0, 0, false)
    self.isRepairable = isRepairable
    self.lost = lost
    self.doubled = doubled
  }

  mutating func close() { isOpen = false }

  mutating func append(_ arrival: Int64) {
    let interval = Double(arrival - self[count - 1]) / before.period
    hasResumed = hasResumed || mostLost > 0 && abs(interval - 1) < TickTuning.toleranceMost
    mostLost += Int64(min(max(interval - TickTuning.leastGap, 0), 1e6).rounded(.up))
    if interval < TickTuning.doubleMost { mostDoubled += 1 }
    arrivals[count] = arrival
    count += 1
  }

  /// The arrival at an index; −1 is the one before the first.
  subscript(index: Int) -> Int64 { index < 0 ? origin : arrivals[index] }

  var isFull: Bool { count == Self.capacity }

  /// The number of last intervals that are equal within a tolerance, a fraction of their length,
  /// and differ from the previous period by more than it.
  func evenIntervals(tolerance: Double, jitter: Double) -> Int {
    guard count > 0 else { return 0 }
    let newest = Double(self[count - 1] - self[count - 2])
    let most = tolerance * newest + TickTuning.evenJitter * jitter
    guard abs(newest - before.period) > most, newest > TickTuning.closest * before.period else {
      return 0
    }
    var even = 1
    while even < count {
      let interval = Double(self[count - 1 - even] - self[count - 2 - even])
      guard abs(interval - newest) <= most else { break }
      even += 1
    }
    return even
  }

  /// True if the last two intervals differ from the old period by a factor of 1.3 or more in the
  /// same direction and do not add up to a whole number of periods, as with lost, doubled or late
  /// ticks.
  func isFarOff(tolerance: Double, jitter: Double) -> Bool {
    guard count >= 2 else { return false }
    let last = Double(self[count - 1] - self[count - 2]) / before.period
    let first = Double(self[count - 2] - self[count - 3]) / before.period
    let factor = max(TickTuning.openFactor, 1 + TickTuning.openJitter * jitter / before.period)
    let isSlower = min(last, first) > factor
    let isFaster = max(last, first) < 1 / factor && min(last, first) > TickTuning.doubleMost
    guard isSlower || isFaster else { return false }
    let periods = before.distance(to: self[count - 1]) / before.period
    guard abs(periods - Double(count)) > TickTuning.openLeast else { return false }
    return abs(periods - periods.rounded()) > max(tolerance, TickTuning.openWhole)
  }

  /// True if all arrivals are whole periods after the last tick before, two or more apart.
  func isWhole(tolerance: Double) -> Bool {
    var last = 0.0
    for index in 0..<count {
      let place = before.distance(to: self[index]) / before.period
      let whole = place.rounded()
      guard whole > last + 1, abs(place - whole) < tolerance else { return false }
      last = whole
    }
    return count > 0
  }

  /// The number of ticks up to an arrival if the tempo is the same as before; nil if the last ticks
  /// do not show this, or the distance is not a whole number of periods.
  func ticks(to arrival: Int64) -> Int64? {
    let periods = before.distance(to: arrival) / before.period
    let span = Double(arrival - self[count - 1 - TickTuning.proof])
    let mean = span / Double(TickTuning.proof) / before.period
    let isSame = abs(mean - 1) * periods < TickTuning.toleranceMost
    let isWhole = abs(periods - periods.rounded()) < TickTuning.toleranceMost
    // Soon after a change of tempo, the period is not known well enough for counting.
    let most = CountTuning.settledMost * before.period
    let isKnown = before.p22 * periods * periods < most * most
    return isRepairable && isKnown && isSame && isWhole ? Int64(periods.rounded()) : nil
  }
}
