// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// Converts a tick to the exact position in quarter notes.
  ///
  /// With an SMPTE division, quarter notes are calculated from seconds and the tempo changes.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(1), or O(log n) in the number of changes with an SMPTE division.
  public func quarters(at tick: Tick) throws(TimeError) -> Ratio {
    try quarters(atTicks: Ratio(tick.value))
  }

  /// Converts a position in ticks with fractions to the exact position in quarter notes.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(1), or O(log n) in the number of changes with an SMPTE division.
  public func quarters(atTicks position: Ratio) throws(TimeError) -> Ratio {
    if case .ppqn(let resolution) = division {
      return try position * Ratio(1, over: Int64(resolution.ticks))
    }
    let below = try position.rounded(.floor, unit: "ticks").value
    let index = lastIndex(in: tempoTicks, atOrBelow: below)
    let inside = try (position - Ratio(tempoTicks[index])) * quartersPerTick(tempi[index])
    return try quarterTotals[index] + inside
  }

  /// Converts a position in quarter notes to the exact position in ticks with fractions.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(1), or O(n) in the number of changes with an SMPTE division.
  public func ticks(atQuarters quarters: Ratio) throws(TimeError) -> Ratio {
    if case .ppqn(let resolution) = division {
      return try quarters * Ratio(Int64(resolution.ticks))
    }
    let past = quarterTotals.firstIndex { $0 > quarters } ?? quarterTotals.count
    let index = max(past - 1, 0)
    let inside = try (quarters - quarterTotals[index]) / quartersPerTick(tempi[index])
    return try inside + Ratio(tempoTicks[index])
  }

  /// Converts a media time in seconds to the exact position in quarter notes.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of changes.
  public func quarters(atSeconds seconds: Ratio) throws(TimeError) -> Ratio {
    try quarters(atTicks: ticks(atSeconds: seconds))
  }

  /// Converts a position in quarter notes to the exact media time in seconds.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of changes, or O(n) with an SMPTE division.
  public func seconds(atQuarters quarters: Ratio) throws(TimeError) -> Ratio {
    try seconds(atTicks: ticks(atQuarters: quarters))
  }

  /// Quarter notes per tick, if ticks have a fixed length.
  private func quartersPerTick(_ tempo: Tempo) throws(TimeError) -> Ratio {
    try Self.quartersPerTick(tempo, ticksPerSecond: Ratio(unitsPerSecond, over: steps[0].length))
  }

  private static func quartersPerTick(
    _ tempo: Tempo, ticksPerSecond: Ratio
  ) throws(TimeError) -> Ratio {
    try Ratio(100_000_000, over: Int64(tempo.tenNanosecondsPerQuarter)) / ticksPerSecond
  }

  /// The position of each tempo change in quarter notes, if ticks have a fixed length.
  ///
  /// Sums of fractions with different tempi need larger and larger denominators. If the denominator
  /// of a total exceeds 2⁶⁰, the total is rounded once, to a multiple of 2⁻⁶⁰ quarter notes.
  static func quarterTotals(
    _ steps: [TempoChange], ticksPerSecond: Ratio
  ) throws(TimeError) -> [Ratio] {
    var totals: [Ratio] = [.zero]
    for index in steps.indices.dropFirst() {
      let ticks = steps[index].tick.value - steps[index - 1].tick.value
      let slope = try quartersPerTick(steps[index - 1].tempo, ticksPerSecond: ticksPerSecond)
      totals.append(try onGrid(totals[index - 1] + Ratio(ticks) * slope))
    }
    return totals
  }

  private static func onGrid(_ value: Ratio) throws(TimeError) -> Ratio {
    let grid: Int128 = 1 << 60
    guard value.denominator > grid else { return value }
    let (whole, rest) = flooredDivision(value.numerator, by: value.denominator)
    // rest / denominator < 1: the double is accurate to 2⁻⁵³ of it, and is rounded to the grid.
    let part = Int128((Double(rest) / Double(value.denominator) * 0x1p60).rounded())
    return try Ratio(exactly: multiply(whole, grid) + part, over: grid)
  }
}
