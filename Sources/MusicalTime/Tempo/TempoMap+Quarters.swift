// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// The position of a tick in quarter notes, exactly.
  ///
  /// With an SMPTE division beats derive from seconds and the tempo changes.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  /// - Complexity: O(1); O(log n) in the number of changes with an SMPTE division.
  public func quarters(at tick: Tick) throws(TimeError) -> Ratio {
    try quarters(atTicks: Ratio(tick.value))
  }

  /// The position between ticks in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func quarters(atTicks position: Ratio) throws(TimeError) -> Ratio {
    if case .ppqn(let resolution) = division {
      return try position * Ratio(1, over: Int64(resolution.ticks))
    }
    let below = try position.rounded(.floor, unit: "ticks").value
    let index = lastIndex(in: tempoTicks, atOrBelow: below)
    let inside = try (position - Ratio(tempoTicks[index])) * quartersPerTick(tempi[index])
    return try quarterTotals[index] + inside
  }

  /// The position in ticks and their fractions of a position in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func ticks(atQuarters quarters: Ratio) throws(TimeError) -> Ratio {
    if case .ppqn(let resolution) = division {
      return try quarters * Ratio(Int64(resolution.ticks))
    }
    let past = quarterTotals.firstIndex { $0 > quarters } ?? quarterTotals.count
    let index = max(past - 1, 0)
    let inside = try (quarters - quarterTotals[index]) / quartersPerTick(tempi[index])
    return try inside + Ratio(tempoTicks[index])
  }

  /// The position in quarter notes at a media time in seconds, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func quarters(atSeconds seconds: Ratio) throws(TimeError) -> Ratio {
    try quarters(atTicks: ticks(atSeconds: seconds))
  }

  /// The media time in seconds of a position in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
  public func seconds(atQuarters quarters: Ratio) throws(TimeError) -> Ratio {
    try seconds(atTicks: ticks(atQuarters: quarters))
  }

  /// Quarter notes in a tick of fixed length.
  private func quartersPerTick(_ tempo: Tempo) throws(TimeError) -> Ratio {
    try Self.quartersPerTick(tempo, ticksPerSecond: Ratio(unitsPerSecond, over: steps[0].length))
  }

  private static func quartersPerTick(
    _ tempo: Tempo, ticksPerSecond: Ratio
  ) throws(TimeError) -> Ratio {
    try Ratio(100_000_000, over: Int64(tempo.tenNanosecondsPerQuarter)) / ticksPerSecond
  }

  /// The position of each tempo change in quarter notes, where ticks have a fixed length.
  ///
  /// Sums of fractions with unlike tempi need ever wider denominators: past 2⁶⁰ a total is rounded
  /// to 2⁻⁶⁰ of a quarter note, once.
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
    // rest / denominator < 1: the double is good to 2⁻⁵³ of it, which the grid then fixes.
    let part = Int128((Double(rest) / Double(value.denominator) * 0x1p60).rounded())
    return try Ratio(exactly: multiply(whole, grid) + part, over: grid)
  }
}
