// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The times of a song's bar lines, in seconds.
struct BarLines: Sendable {
  private let map: TempoMap
  private let meters: MeterMap

  init(_ map: TempoMap, _ meters: MeterMap) {
    (self.map, self.meters) = (map, meters)
  }

  /// The bars in a time axis; nil if they cannot be counted.
  func bars(in axis: TimeAxis) -> ClosedRange<Int>? {
    guard let first = bar(at: axis.start), let last = bar(at: axis.end), first <= last else {
      return nil
    }
    return first...last
  }

  /// The number of bars between labelled bars: the smallest power of two that leaves at least
  /// `spacing` pixels for each.
  ///
  /// Powers of two keep phrases together.
  func step(along axis: TimeAxis, spacing: Double) -> Int? {
    guard let bars = bars(in: axis) else { return nil }
    var step = 1
    while Double(bars.count / step) * spacing > axis.width { step *= 2 }
    return step
  }

  /// Every `step`th bar from bar 1 on, within a time axis.
  func lines(every step: Int, along axis: TimeAxis) -> [(bar: Int, seconds: Double)] {
    guard let bars = bars(in: axis) else { return [] }
    let first = (bars.lowerBound - 1 + step - 1) / step * step + 1
    return stride(from: first, through: bars.upperBound, by: step).compactMap { bar in
      guard let seconds = seconds(of: bar), seconds >= axis.start - 1e-9, seconds < axis.end else {
        return nil
      }
      return (bar, seconds)
    }
  }

  private func bar(at seconds: Double) -> Int? {
    do {
      let time = Ratio(Int64((seconds * 1e6).rounded(.up)), over: 1_000_000)
      let quarters = try map.quarters(atSeconds: time)
      return Int(try meters.barBeat(at: quarters, divisor: 480, rounding: .floor).value.bar)
    } catch {
      return nil
    }
  }

  private func seconds(of bar: Int) -> Double? {
    do {
      let label = BarBeat(bar: Int32(clamping: bar), beat: 1, divisor: 1)
      return try map.seconds(atQuarters: meters.quarters(at: label)).approximation
    } catch {
      return nil
    }
  }
}
