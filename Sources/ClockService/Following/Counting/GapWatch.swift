// SPDX-License-Identifier: Apache-2.0

/// Arrivals since one came so late that ticks may be missing before it, where jitter blurs intervals.
///
/// Where the jitter is a tenth of a period or more, no single interval shows a loss. The places of
/// several arrivals together do: by the line before the gap they lie around whole periods, all of them
/// the same number of periods later than they would without a loss. This only watches: meanwhile
/// arrivals are counted as anywhere else, and the count is corrected when it is sure.
struct GapWatch: BitwiseCopyable, Sendable {
  static let capacity = 24

  private(set) var isOpen = false
  /// What was believed before the first of the arrivals, and of changes of the tempo.
  private(set) var before = TickState()
  private(set) var change = ChangeWatch()
  /// How many ticks are missing before the first arrival; below zero where it is one too many.
  private(set) var lost: Int64 = 0
  /// The arrivals, and how many.
  private(set) var count = 0
  private var arrivals = InlineArray<24, Int64>(repeating: 0)
  /// How far arrivals before the gap were off the line, in nanoseconds, the newest first.
  private var earlier = InlineArray<12, Double>(repeating: 0)
  /// Twice the logarithm of how much likelier the loss makes the arrivals than no loss does.
  private var evidence = 0.0
  /// Variance of one arrival.
  private var variance = 0.0

  /// An arrival by its index from 0.
  subscript(index: Int) -> Int64 { arrivals[index] }

  /// Whether a loss is so likely that the count is in doubt.
  var isLikely: Bool { isOpen && count > 1 }

  mutating func open(_ state: TickState, _ change: ChangeWatch, lost: Int64, jitter: Double) {
    (isOpen, before, count, evidence) = (true, state, 0, 0)
    self.change = change
    self.lost = lost
    variance = jitter * jitter
  }

  mutating func close() { isOpen = false }

  /// Notes how far an arrival so many ticks before the newest one was off the line.
  mutating func note(_ miss: Double, before ticks: Int) { earlier[ticks] = miss }

  /// Takes the next arrival; ends where it is likelier that nothing was lost.
  mutating func append(_ arrival: Int64) {
    arrivals[count] = arrival
    count += 1
    let (with, without) = (miss(count - 1), miss(count - 1) + Double(lost) * before.period)
    evidence += (without * without - with * with) / variance
    if count > 1, evidence < CountTuning.gapEvidence { isOpen = false }
  }

  /// Nanoseconds from where an arrival would be if the ticks were lost.
  func miss(_ index: Int) -> Double {
    before.distance(to: arrivals[index]) - Double(Int64(index) + 1 + lost) * before.period
  }

  /// Whether the arrivals lie along the line before the gap as closely as jitter lets them.
  var isProven: Bool {
    let part = variance.squareRoot() / before.period
    let least = max(CountTuning.gapLeast, Int(min(CountTuning.gapProof * part, 20)))
    guard count >= least else { return false }
    let middle = 0.5 * Double(count - 1)
    var (squares, products, spread, off) = (0.0, 0.0, 0.0, 0.0)
    for index in 0..<count {
      let (miss, place) = (miss(index), Double(index) - middle)
      let ahead = Double(Int64(index) + 1 + lost)
      off += variance + before.p11 + ahead * ahead * before.p22
      squares += miss * miss
      products += place * miss
      spread += place * place
    }
    // The squared slope of the misses, in variances: another tempo has one.
    let slope = products * products / (spread * (variance + spread * before.p22))
    guard squares < CountTuning.gapSquare * off, slope < CountTuning.gapSlope else { return false }
    let moving = squaresBeyondCurve(of: 3, shifted: 0)
    let steady = squaresBeyondCurve(of: 1, shifted: Double(lost) * before.period)
    return moving - steady > CountTuning.gapAgainstMotion * variance
  }

  /// Ticks to the newest arrival if all of them are taken to lie nearest to where they should, however
  /// many are missing; nil if they lie anywhere, as at another tempo.
  var ticksOnLine: Int64? {
    var (squares, off, place) = (0.0, 0.0, 0.0)
    for index in 0..<count {
      place = before.distance(to: arrivals[index]) / before.period
      let miss = (place - place.rounded()) * before.period
      squares += miss * miss
      off += variance + before.p11 + place * place * before.p22
    }
    return squares < CountTuning.gapSquare * off ? Int64(place.rounded()) : nil
  }

  /// The squares that a curve of a degree leaves of the arrivals before and after the gap, if those after
  /// come so many nanoseconds late because of it.
  ///
  /// A tempo that moves is a curve without a gap.
  private func squaresBeyondCurve(of degree: Int, shifted: Double) -> Double {
    let (first, total) = (CountTuning.gapEarlier, CountTuning.gapEarlier + count)
    var places = InlineArray<36, Double>(repeating: 0)
    var rest = InlineArray<36, Double>(repeating: 0)
    for index in 0..<total {
      places[index] = 2 * Double(index) / Double(total - 1) - 1
      rest[index] =
        index < first
        ? earlier[first - 1 - index]
        : miss(index - first) + Double(lost) * before.period - shifted
    }
    // Polynomials that are orthogonal on these places, each from the two before (Stieltjes).
    var older = InlineArray<36, Double>(repeating: 0)
    var newer = InlineArray<36, Double>(repeating: 1)
    var olderNorm = 1.0
    for order in 0...degree {
      var (norm, product, middle) = (0.0, 0.0, 0.0)
      for index in 0..<total {
        norm += newer[index] * newer[index]
        product += newer[index] * rest[index]
        middle += places[index] * newer[index] * newer[index]
      }
      guard norm > 0 else { break }
      let carried = order == 0 ? 0 : norm / olderNorm
      for index in 0..<total {
        rest[index] -= product / norm * newer[index]
        let next = (places[index] - middle / norm) * newer[index] - carried * older[index]
        (older[index], newer[index]) = (newer[index], next)
      }
      olderNorm = norm
    }
    var sum = 0.0
    for index in 0..<total { sum += rest[index] * rest[index] }
    return sum
  }

  var isFull: Bool { count == Self.capacity }
}
