// SPDX-License-Identifier: Apache-2.0

/// The last arrivals, and which of them are in one batch with the previous one.
struct RecentArrivals: BitwiseCopyable, Sendable {
  private static let capacity = 64

  private var arrivals = InlineArray<64, Int64>(repeating: 0)
  /// A bit for each interval, the newest lowest; set if the interval is short.
  private var shorts: UInt64 = 0
  private(set) var count = 0
  /// Consecutive checks that found pairs, or did not, and whether a warning was reported.
  private var paired = 0
  private var unpaired = 0
  private var hasWarned = false

  /// True if the last interval was short.
  var isShort: Bool { shorts & 1 != 0 }

  /// True if at least this many of the last 32 intervals are short.
  @inline(__always)
  func isBatched(_ least: Int) -> Bool {
    let known = min(count - 1, 32)
    guard known >= 6, shorts != 0 else { return false }
    let short = (shorts & ((1 << UInt64(known)) - 1)).nonzeroBitCount
    return 32 * short >= least * known
  }

  mutating func removeAll() { (count, shorts) = (0, 0) }

  @inline(__always)
  mutating func add(_ arrival: Int64, period: Double, shortest: Double) {
    if count > 0 {
      let interval = Double(arrival - arrivals[(count - 1) & 63])
      let most = max(min(CountTuning.shortPart * period, CountTuning.shortMost), 0.5 * shortest)
      shorts = shorts << 1 | (interval < most ? 1 : 0)
    }
    arrivals[count & 63] = arrival
    count += 1
    // The position in the ring stays the same.
    if count == 1 << 20 { count = 1 << 10 }
  }

  /// The number of last intervals before the newest that equal a period within a tolerance.
  func even(period: Double, most: Double) -> Int {
    let known = min(count - 2, 2 * TickTuning.evenSpan)
    guard known >= TickTuning.evenSpan else { return 0 }
    var (even, judged) = (0, 0)
    for ago in 1...known where judged < TickTuning.evenSpan {
      let interval = Double(interval(ago: ago, length: 1))
      // A double does not count.
      guard interval > CountTuning.shortPart * period else { continue }
      judged += 1
      // Rounds to the nearest, without a call.
      let steps = max(Double(Int64(min(interval / period, 1e6) + 0.5)), 1)
      if abs(interval / steps - period) < most { even += 1 }
    }
    return even
  }

  /// The median of the last nine intervals before the newest, and their largest deviation from a
  /// whole multiple of it, in nanoseconds; nil if there are fewer.
  var grid: (frame: Double, deviation: Double)? {
    guard count > 10 else { return nil }
    var ordered = InlineArray<9, Double>(repeating: 0)
    for ago in 1...9 {
      let interval = Double(interval(ago: ago, length: 1))
      var place = ago - 1
      while place > 0, ordered[place - 1] > interval {
        ordered[place] = ordered[place - 1]
        place -= 1
      }
      ordered[place] = interval
    }
    let frame = ordered[4]
    guard frame > 0 else { return nil }
    var deviation = 0.0
    for index in 0..<9 {
      let off = ordered[index] - (ordered[index] / frame).rounded() * frame
      deviation = max(deviation, abs(off))
    }
    return (frame, deviation)
  }

  /// True if a warning of clocks in pairs is due: once, until pairs have been absent for a while.
  ///
  /// The check takes place every 32 clocks; in between the result is false. Above twice 80 BPM one
  /// check is enough. Below, a host may send two clocks in each buffer, but for long only if a
  /// buffer is exactly two clocks.
  @inline(__always)
  mutating func isPairWarningDue() -> Bool {
    guard count & 31 == 0, count > Self.capacity else { return false }
    return checkPairs()
  }

  private mutating func checkPairs() -> Bool {
    guard let pair else {
      (paired, unpaired) = (0, min(unpaired + 1, CountTuning.pairedChecks))
      if unpaired == CountTuning.pairedChecks { hasWarned = false }
      return false
    }
    (paired, unpaired) = (min(paired + 1, CountTuning.pairedChecks), 0)
    let isFast = pair.span < CountTuning.pairedSpan
    let isLong = paired == CountTuning.pairedChecks && pair.short < CountTuning.pairedClose
    guard isFast || isLong, !hasWarned else { return false }
    hasWarned = true
    return true
  }

  /// The time from a pair of clocks to the next, and between the clocks of a pair, in nanoseconds;
  /// nil unless short and long intervals have alternated for 24 pairs.
  private var pair: (span: Double, short: Double)? {
    let span = Double(interval(ago: 0, length: 48)) / 24
    guard span > 0 else { return nil }
    var (least, most) = (Double.infinity, 0.0)
    for pair in 0..<24 {
      guard abs(Double(interval(ago: 2 * pair, length: 2)) - span) < CountTuning.pairedSpread * span
      else { return nil }
      let part = Double(interval(ago: 2 * pair, length: 1)) / span
      (least, most) = (min(least, part), max(most, part))
    }
    let part = 0.5 * (most + least)
    guard most - least < 2 * CountTuning.pairedSpread, abs(part - 0.5) > CountTuning.pairedPart
    else { return nil }
    return (span, min(part, 1 - part) * span)
  }

  /// Nanoseconds over a number of intervals, back from an arrival `ago` arrivals before the newest.
  @inline(__always)
  func interval(ago: Int, length: Int) -> Int64 {
    arrivals[(count - 1 - ago) & 63] - arrivals[(count - 1 - ago - length) & 63]
  }

  /// Nanoseconds between the last two arrivals; zero before there are two.
  @inline(__always)
  var lastInterval: Int64 {
    count > 1 ? arrivals[(count - 1) & 63] - arrivals[(count - 2) & 63] : 0
  }

  /// The mean time from the end of one batch to the next, per batch, in nanoseconds; nil if the
  /// memory does not contain two completed batches.
  var meanPeriod: Double? {
    var (newest, oldest) = (-1, -1)
    for ago in 1..<min(count, Self.capacity) where shorts >> UInt64(ago - 1) & 1 == 0 {
      // The interval that ends at the arrival `ago - 1` back is long, so the one before ends a
      // batch.
      if newest < 0 { newest = ago }
      oldest = ago
    }
    guard oldest > newest else { return nil }
    let span = arrivals[(count - 1 - newest) & 63] - arrivals[(count - 1 - oldest) & 63]
    return Double(span) / Double(oldest - newest)
  }
}
