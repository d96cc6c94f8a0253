// SPDX-License-Identifier: Apache-2.0

extension MeterMap {
  /// The meter in force at a position in quarter notes.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func signature(at quarters: Ratio) throws(TimeError) -> TimeSignature {
    signatures[try index(at: quarters)]
  }

  /// The bar and beat of a position in quarter notes.
  ///
  /// Rounding up to the divisor carries through subbeat, beat, bar and meter change; a rounded
  /// position never lies past the end of a short bar. The residue is in subbeats.
  ///
  /// - Parameters:
  ///   - quarters: The position in quarter notes from the piece's origin.
  ///   - divisor: Parts of a beat; above zero.
  ///   - rounding: How to pick one of the two subbeats around the position.
  /// - Returns: The label, and how far the position lies from it in subbeats.
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.overflow` past 32 bits of
  ///   bars; `TimeError.fieldOutOfRange` for a divisor of zero.
  /// - Complexity: O(log n) in the number of changes.
  public func barBeat(
    at quarters: Ratio, divisor: UInt16, rounding: Rounding
  ) throws(TimeError) -> Converted<BarBeat> {
    guard divisor > 0 else { throw .zeroDivisor }
    let index = try index(at: quarters)
    let exact = try subbeats(to: quarters, from: index, divisor)
    let rounded = try exact.rounded(rounding, unit: "subbeats")
    guard try reachesNextMeter(rounded.value, index, divisor) else {
      let label = try label(rounded.value, index, divisor)
      return rounded.map { _ in label }
    }
    let next = try label(0, index + 1, divisor)
    let residue = try subbeats(to: quarters, from: index + 1, divisor)
    return Converted(next, remainder: residue.numerator, divisor: residue.denominator)
  }

  /// The position of a bar and beat in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.beatBelowOne`, `TimeError.fieldOutOfRange` for a beat that the bar does
  ///   not have or a subbeat not below the divisor; `TimeError.pastEndOfBar` for a beat that a
  ///   meter change cuts off.
  /// - Complexity: O(log n) in the number of changes.
  public func quarters(at label: BarBeat) throws(TimeError) -> Ratio {
    let index = lastIndex(in: bars, atOrBelow: Int64(label.bar))
    let signature = signatures[index]
    try validate(label, signature)
    let whole = (Int64(label.bar) - bars[index]) * Int64(signature.numerator)
    let beats =
      try Ratio(whole + Int64(label.beat) - 1)
      + Ratio(Int64(label.subbeat), over: Int64(label.divisor))
    let quarters =
      try Ratio(starts[index], over: unitsPerQuarter)
      + beats * signature.quartersPerBeat
    if index + 1 < starts.count, quarters >= Ratio(starts[index + 1], over: unitsPerQuarter) {
      throw .pastEndOfBar("\(label)")
    }
    return quarters
  }

  /// The bar and beat of a tick.
  ///
  /// The same as `barBeat(at:divisor:rounding:)` of the tick's quarter notes, in 64-bit integers
  /// as long as they hold the products.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - ppqn: Ticks per quarter note.
  ///   - divisor: Parts of a beat; above zero.
  ///   - rounding: How to pick one of the two subbeats around the tick.
  /// - Returns: The label, and how far the tick lies from it in subbeats.
  /// - Throws: As `barBeat(at:divisor:rounding:)` does.
  /// - Complexity: O(log n) in the number of changes.
  public func barBeat(
    at tick: Tick, ppqn: PPQN, divisor: UInt16, rounding: Rounding
  ) throws(TimeError) -> Converted<BarBeat> {
    let resolution = Int64(ppqn.ticks)
    let (units, past) = tick.value.multipliedReportingOverflow(by: unitsPerQuarter)
    let index = lastIndex(in: starts, atOrBelow: flooredDivision(units, by: resolution).quotient)
    let (start, far) = starts[index].multipliedReportingOverflow(by: resolution)
    let (distance, over) = units.subtractingReportingOverflow(start)
    let (parts, beyond) = distance.multipliedReportingOverflow(by: Int64(divisor))
    guard !past, !far, !over, !beyond, divisor > 0 else {
      let quarters = Ratio(tick.value, over: resolution)
      return try barBeat(at: quarters, divisor: divisor, rounding: rounding)
    }
    // A beat is below 2³⁶ units and a resolution below 2¹⁵.
    let part = signatures[index].unitsPerBeat(unitsPerQuarter) * resolution
    guard let subbeats = quotient(parts, by: part, rounding) else {
      throw .inexact(unit: "subbeats")
    }
    guard try !reachesNextMeter(subbeats.value, index, divisor) else {
      let quarters = Ratio(tick.value, over: resolution)
      return try barBeat(at: quarters, divisor: divisor, rounding: rounding)
    }
    return Converted(
      try label(subbeats.value, index, divisor), remainder: Int128(subbeats.remainder),
      divisor: Int128(part))
  }

  private func validate(_ label: BarBeat, _ signature: TimeSignature) throws(TimeError) {
    guard label.divisor > 0 else { throw .zeroDivisor }
    guard label.beat > 0 else { throw .beatBelowOne("\(label)") }
    guard label.beat <= UInt16(signature.numerator) else {
      throw .fieldOutOfRange(
        field: "beat", value: "\(label.beat)", range: "1…\(signature.numerator) in \(signature)")
    }
    guard label.subbeat < label.divisor else {
      throw .fieldOutOfRange(
        field: "subbeat", value: "\(label.subbeat)", range: "0…\(label.divisor - 1)")
    }
  }

  private func index(at quarters: Ratio) throws(TimeError) -> Int {
    let units = try quarters * Ratio(unitsPerQuarter)
    let below = flooredDivision(units.numerator, by: units.denominator).quotient
    return lastIndex(in: starts, atOrBelow: Int64(clamping: below))
  }

  /// The distance from the start of a meter to a position, in the meter's subbeats.
  private func subbeats(
    to quarters: Ratio, from index: Int, _ divisor: UInt16
  ) throws(TimeError) -> Ratio {
    let distance = try quarters - Ratio(starts[index], over: unitsPerQuarter)
    return try distance / signatures[index].quartersPerBeat * Ratio(Int64(divisor))
  }

  private func reachesNextMeter(
    _ subbeats: Int64, _ index: Int, _ divisor: UInt16
  ) throws(TimeError) -> Bool {
    guard index + 1 < starts.count else { return false }
    let length = Int128(starts[index + 1] - starts[index]) * Int128(divisor)
    return Int128(subbeats) * Int128(signatures[index].unitsPerBeat(unitsPerQuarter)) >= length
  }

  /// Bar, beat and subbeat, all from one integer.
  private func label(
    _ subbeats: Int64, _ index: Int, _ divisor: UInt16
  ) throws(TimeError) -> BarBeat {
    let (beats, subbeat) = flooredDivision(subbeats, by: Int64(divisor))
    let (whole, beat) = flooredDivision(beats, by: Int64(signatures[index].numerator))
    let (bar, overflow) = whole.addingReportingOverflow(bars[index])
    guard !overflow, let narrow = Int32(exactly: bar) else { throw .overflow("bars") }
    return BarBeat(
      bar: narrow, beat: UInt16(beat) + 1, subbeat: UInt16(subbeat), divisor: divisor)
  }
}

extension TimeError {
  static var zeroDivisor: TimeError {
    .fieldOutOfRange(field: "subbeat divisor", value: "0", range: "1…65535")
  }
}
