// SPDX-License-Identifier: Apache-2.0

/// Two lines of one tempo, through the arrivals before and after an interval.
///
/// The lines are whole periods apart if clocks were lost or doubled in that interval. The filter's
/// period is only a unit here, since losses may have changed it. Times are in periods, places in
/// arrivals.
struct StepFit {
  /// The arrivals on one side of the interval.
  private struct Side {
    private(set) var count = 0.0
    private var place = 0.0
    private var time = 0.0
    private var placeSquare = 0.0
    private var product = 0.0
    private var timeSquare = 0.0
    /// Arrivals left out as doubles.
    var doubles = 0

    mutating func add(_ place: Double, _ time: Double) {
      count += 1
      self.place += place
      self.time += time
      placeSquare += place * place
      product += place * time
      timeSquare += time * time
    }

    var meanPlace: Double { place / count }
    var meanTime: Double { time / count }
    /// Sums of squares and products about the means.
    var spread: Double { placeSquare - place * place / count }
    var shared: Double { product - place * time / count }
    var rest: Double { timeSquare - time * time / count }
  }

  /// The number of clocks missing in the interval; −1 for a double.
  let missing: Int
  /// The distance between the lines in standard deviations.
  let deviations: Double
  /// The standard deviation of arrivals about the lines, in periods.
  let scatter: Double

  /// Fits the lines around the interval before an arrival; nil if they prove neither a loss nor a
  /// double.
  ///
  /// - Parameters:
  ///   - recent: The arrivals.
  ///   - ago: The number of arrivals after that one.
  ///   - period: Nanoseconds between clocks, approximately.
  init?(_ recent: RecentArrivals, ago: Int, period: Double) {
    let before = Self.side(recent, ago + 1, -1, of: ago, period)
    let after = Self.side(recent, ago, 1, of: ago, period)
    let (least, count) = (min(before.count, after.count), before.count + after.count)
    guard least >= CountTuning.stepLeast, count >= CountTuning.stepBoth else { return nil }
    let weight = before.spread + after.spread
    let slope = (before.shared + after.shared) / weight
    let square = (before.rest + after.rest - slope * slope * weight) / (count - 3)
    guard slope > 0, CountTuning.stepScatter.contains(square / (slope * slope)) else { return nil }
    // The tempo must be the same on both sides.
    let bend = after.shared / after.spread - before.shared / before.spread
    guard bend * bend < CountTuning.stepBend * square * (1 / before.spread + 1 / after.spread)
    else { return nil }
    let places = after.meanPlace - before.meanPlace
    let step = after.meanTime - before.meanTime - slope * places
    let variance = square * (1 / before.count + 1 / after.count + places * places / weight)
    let whole = (step / slope).rounded()
    let off = step - whole * slope
    guard whole >= -1, whole < CountTuning.gapMost, whole != 0,
      off * off < CountTuning.stepOff * variance,
      // A clock may be so early that it looks like a double, and then a loss follows it.
      whole < 0 || before.doubles + after.doubles == 0
    else { return nil }
    missing = Int(whole)
    deviations = (step * step / variance).squareRoot()
    scatter = square.squareRoot() / slope
  }

  /// The arrivals from one on, forwards or backwards, up to a gap.
  private static func side(
    _ recent: RecentArrivals, _ first: Int, _ direction: Int, of center: Int, _ period: Double
  ) -> Side {
    var side = Side()
    var (ago, place, last) = (first, direction > 0 ? 1.0 : 0, 0.0)
    while ago >= 0, ago < center + CountTuning.stepMemory {
      let length = Double(recent.interval(ago: min(ago, center), length: abs(center - ago)))
      let time = (ago > center ? -length : length) / period
      let distance = abs(time - last)
      if side.count > 0, distance < CountTuning.shortPart {
        side.doubles += 1
      } else {
        if side.count > 0, distance > CountTuning.stepWhole { break }
        side.add(place, time)
        if side.count == CountTuning.stepMost { break }
        place += Double(direction)
      }
      last = time
      ago -= direction
    }
    return side
  }
}
