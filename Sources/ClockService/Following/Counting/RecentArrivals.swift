// SPDX-License-Identifier: Apache-2.0

/// The last arrivals as they came, and which of them came in one batch with the one before.
struct RecentArrivals: BitwiseCopyable, Sendable {
  private static let capacity = 64

  private var arrivals = InlineArray<64, Int64>(repeating: 0)
  /// A bit for each interval, the newest lowest: whether it is short.
  private var shorts: UInt64 = 0
  private(set) var count = 0

  /// Whether the last interval was short.
  var isShort: Bool { shorts & 1 != 0 }

  /// Whether clocks come in batches.
  @inline(__always)
  func isBatched(_ was: Bool) -> Bool {
    let known = min(count - 1, 32)
    guard known >= 6, shorts != 0 else { return false }
    let short = (shorts & ((1 << UInt64(known)) - 1)).nonzeroBitCount
    return 32 * short >= (was ? CountTuning.unbatched : CountTuning.batched) * known
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
    // The place in the ring stays the same.
    if count == 1 << 20 { count = 1 << 10 }
  }

  /// How many of the last intervals before the newest are a period, within so much.
  func even(period: Double, most: Double) -> Int {
    let known = min(count - 2, 2 * TickTuning.evenSpan)
    guard known >= TickTuning.evenSpan else { return 0 }
    var (even, judged) = (0, 0)
    for ago in 1...known where judged < TickTuning.evenSpan {
      let interval = Double(interval(ago: ago, length: 1))
      // A double says nothing.
      guard interval > CountTuning.shortPart * period else { continue }
      judged += 1
      // To the nearest, without a call.
      let steps = max(Double(Int64(min(interval / period, 1e6) + 0.5)), 1)
      if abs(interval / steps - period) < most { even += 1 }
    }
    return even
  }

  /// The usual interval of the last nine before the newest, and the most that one of them is off a
  /// whole number of these, in nanoseconds; nil before there are so many.
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

  /// Whether short and long intervals alternate: two clocks for each one of the master.
  ///
  /// Checked once in 32 clocks; false in between.
  var isPaired: Bool {
    guard count > Self.capacity, count & 31 == 0 else { return false }
    let span = Double(interval(ago: 0, length: 48)) / 24
    var (least, most) = (Double.infinity, 0.0)
    for pair in 0..<24 {
      guard abs(Double(interval(ago: 2 * pair, length: 2)) - span) < TickTuning.pairedSpread * span
      else { return false }
      let part = Double(interval(ago: 2 * pair, length: 1)) / span
      (least, most) = (min(least, part), max(most, part))
    }
    return most - least < 2 * TickTuning.pairedSpread
      && abs(0.5 * (most + least) - 0.5) > TickTuning.pairedPart
  }

  /// Nanoseconds from an arrival so many before the newest back over some intervals.
  private func interval(ago: Int, length: Int) -> Int64 {
    arrivals[(count - 1 - ago) & 63] - arrivals[(count - 1 - ago - length) & 63]
  }

  /// Nanoseconds from the end of the oldest batch in memory to that of the newest that is over, a
  /// clock; nil if there are not two.
  var meanPeriod: Double? {
    var (newest, oldest) = (-1, -1)
    for ago in 1..<min(count, Self.capacity) where shorts >> UInt64(ago - 1) & 1 == 0 {
      // The interval that ends at the arrival `ago - 1` back is long: the one before ends a batch.
      if newest < 0 { newest = ago }
      oldest = ago
    }
    guard oldest > newest else { return nil }
    let span = arrivals[(count - 1 - newest) & 63] - arrivals[(count - 1 - oldest) & 63]
    return Double(span) / Double(oldest - newest)
  }
}
