// SPDX-License-Identifier: Apache-2.0

/// Arrivals since one that is so late that ticks may be missing before it, if jitter blurs
/// intervals.
///
/// If the jitter is a tenth of a period or more, a single interval does not show a loss. The
/// positions of several arrivals do: relative to the line before the gap, they are near whole
/// periods, all later by the same number of periods than without a loss. The watch does not change
/// the count, which is corrected once the loss is certain. A master with a varying tempo could send
/// the same, so only steady masters are watched.
struct GapWatch: BitwiseCopyable, Sendable {
  static let capacity = 48
  /// Arrivals before the gap that are compared.
  static let earlierCount = 36

  private(set) var isOpen = false
  /// The state before the first of the arrivals, and that of the change detection.
  private(set) var before = TickState()
  private(set) var change = ChangeWatch()
  /// The number of ticks missing before the first arrival; −1 for a double.
  private(set) var lost: Int64 = 0
  /// The arrivals, and their number.
  private(set) var count = 0
  private var arrivals = InlineArray<48, Int64>(repeating: 0)
  /// Distances of the arrivals before the gap from the line, in nanoseconds, the newest first.
  private var earlier = InlineArray<36, Double>(repeating: 0)
  /// The sum of the delays of the arrivals if nothing was lost, in periods.
  private var lateness = 0.0
  /// The learnt variance of one arrival.
  private var variance = 0.0

  /// The arrival at an index from 0.
  subscript(index: Int) -> Int64 { arrivals[index] }

  /// True if a loss is so likely that the count is in doubt.
  var isLikely: Bool { isOpen && count > 1 }

  var isFull: Bool { count == Self.capacity }

  mutating func open(_ state: TickState, _ change: ChangeWatch, jitter: Double) {
    (isOpen, before, count, lost, lateness) = (true, state, 0, 0, 0)
    self.change = change
    variance = jitter * jitter
  }

  /// A watch of a gap some arrivals ago, with those before and since; nil if there are too few.
  ///
  /// - Parameters:
  ///   - recent: The arrivals.
  ///   - ago: The number of arrivals after the one that ended the gap.
  ///   - missing: The number of clocks missing in the gap.
  ///   - period: Nanoseconds between clocks, approximately.
  ///   - jitter: The jitter as learnt.
  init?(_ recent: RecentArrivals, ago: Int, missing: Int, period: Double, jitter: Double) {
    guard recent.count > ago + 1 + Self.earlierCount else { return nil }
    before.period = period
    variance = jitter * jitter
    for place in 0..<Self.earlierCount {
      let length = Double(recent.interval(ago: ago + 1, length: place))
      note(Double(place) * period - length, before: place)
    }
    for place in 0...ago {
      arrivals[place] = recent.interval(ago: ago - place, length: place + 1)
    }
    (count, lost) = (ago + 1, Int64(missing))
  }

  init() {}

  mutating func close() { isOpen = false }

  /// Notes the deviation from the line of an arrival a number of ticks before the newest one.
  mutating func note(_ miss: Double, before ticks: Int) { earlier[ticks] = miss }

  /// Takes the next arrival; ends if it is likelier that nothing was lost.
  mutating func append(_ arrival: Int64) {
    arrivals[count] = arrival
    lateness += late(count) / before.period
    count += 1
    lost = max(Int64((lateness / Double(count)).rounded()), -1)
    if count > 1, lost == 0 { isOpen = false }
  }

  /// Nanoseconds by which an arrival is late if nothing was lost.
  private func late(_ index: Int) -> Double {
    before.distance(to: arrivals[index]) - Double(index + 1) * before.period
  }

  /// The sum of squares, in variances, around a varying tempo, minus that around one line with a
  /// gap; 0 if the arrivals before and after the gap are on two lines.
  var advantage: Double {
    let (first, all) = (Self.earlierCount, Self.earlierCount + count)
    let apart = squares(0..<first, .line()) + squares(first..<all, .line())
    // The learnt jitter may be too low.
    let scatter = apart / Double(all - 4)
    guard scatter < CountTuning.gapScatter * variance else { return 0 }
    let together = squares(0..<all, .line(missing: lost))
    // Two lines are another tempo, or another number of ticks.
    guard together - apart < CountTuning.gapSquare * scatter else { return 0 }
    let moving = min(squares(0..<all, .curve), squares(0..<all, .bend))
    return (moving - together) / scatter
  }

  /// True if jitter alone opened the watch, and the gap is before the next arrival.
  func isEarly(before arrival: Int64) -> Bool {
    guard count == 1 else { return false }
    let interval = Double(arrival - arrivals[0]) / before.period
    return interval - 1 > CountTuning.gapNext
  }

  /// True if there are enough arrivals to prove a loss, and the newest does not follow another one.
  var isDecidable: Bool {
    let part = variance.squareRoot() / before.period
    guard count >= max(CountTuning.gapLeast, Int(min(CountTuning.gapProof * part, 20))) else {
      return false
    }
    return isFull || abs(late(count - 1) / before.period - Double(lost)) < CountTuning.gapWhole
  }

  /// The number of ticks up to the newest arrival if each arrival belongs to the nearest period,
  /// however many are missing; nil if they are at any position, as at another tempo.
  var ticksOnLine: Int64? {
    var (squares, off, place) = (0.0, 0.0, 0.0)
    for index in 0..<count {
      place = before.distance(to: arrivals[index]) / before.period
      let miss = (place - place.rounded()) * before.period
      squares += miss * miss
      off += variance + before.p11 + place * place * before.p22
    }
    return squares < CountTuning.gapOnLine * off ? Int64(place.rounded()) : nil
  }

  /// A curve near which arrivals may be.
  private enum Shape {
    /// A steady tempo, if ticks are missing at the gap.
    case line(missing: Int64 = 0)
    /// A varying tempo: a cubic.
    case curve
    /// A steady tempo until the gap, and a varying one after it.
    case bend

    var terms: Int { if case .line = self { 2 } else { 4 } }

    func term(_ order: Int, at place: Double) -> Double {
      switch (self, order) {
      case (_, 0): 1
      case (_, 1): place
      case (.bend, 2): max(place, 0)
      case (.bend, _): max(place, 0) * place
      case (_, 2): place * place
      default: place * place * place
      }
    }
  }

  /// The sum of squared distances of some arrivals from a shape.
  private func squares(_ range: Range<Int>, _ shape: Shape) -> Double {
    let first = Self.earlierCount
    var missing = 0.0
    if case .line(let ticks) = shape { missing = Double(ticks) }
    var rest = InlineArray<84, Double>(repeating: 0)
    var columns = InlineArray<4, InlineArray<84, Double>>(repeating: rest)
    for index in range {
      let gap = index < first ? 0 : missing
      let place = (Double(index - first + 1) + gap) / Double(first)
      rest[index] =
        index < first ? earlier[first - 1 - index] : late(index - first) - gap * before.period
      for order in 0..<shape.terms { columns[order][index] = shape.term(order, at: place) }
    }
    // Each term without the part that previous terms explain (Gram and Schmidt).
    for order in 0..<shape.terms {
      for other in 0..<order { remove(columns[other], from: &columns[order], range) }
      remove(columns[order], from: &rest, range)
    }
    return range.reduce(0) { $0 + rest[$1] * rest[$1] }
  }

  private func remove(
    _ column: InlineArray<84, Double>, from values: inout InlineArray<84, Double>,
    _ range: Range<Int>
  ) {
    var (product, norm) = (0.0, 0.0)
    for index in range {
      product += column[index] * values[index]
      norm += column[index] * column[index]
    }
    guard norm > 0 else { return }
    for index in range { values[index] -= product / norm * column[index] }
  }
}
