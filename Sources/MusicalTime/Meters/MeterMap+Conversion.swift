// SPDX-License-Identifier: Apache-2.0

extension MeterMap {
  /// Returns the meter at a position in quarter notes.
  ///
  /// - Throws: `TimeError.overflow` if the position does not fit in 128 bits.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func signature(at quarters: Ratio) throws(TimeError) -> TimeSignature {
    signatures[try index(at: quarters)]
  }

  /// Converts a position in quarter notes to a bar and beat.
  ///
  /// If rounding up reaches the end of a beat or bar, the result is in the next beat or bar. A
  /// rounded position is never after the end of a bar that is short because of a meter change.
  ///
  /// - Parameters:
  ///   - quarters: Quarter notes from the start of the song.
  ///   - divisor: The number of parts per beat; above zero.
  ///   - rounding: The rounding to a subbeat.
  /// - Returns: The bar and beat, with the residue in subbeats.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between subbeats;
  ///   `TimeError.overflow` if the bar does not fit in 32 bits; `TimeError.fieldOutOfRange` for a
  ///   divisor of zero.
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

  /// Converts a bar and beat to the exact position in quarter notes.
  ///
  /// - Throws: `TimeError.beatBelowOne`; `TimeError.fieldOutOfRange` if the beat is not in the bar,
  ///   or the subbeat is not below the divisor; `TimeError.pastEndOfBar` if the bar is short
  ///   because of a meter change and ends before the beat.
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

  /// Converts a tick to a bar and beat.
  ///
  /// The result equals that of `barBeat(at:divisor:rounding:)`, but is calculated faster, in 64-bit
  /// integers if possible.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - ppqn: Ticks per quarter note.
  ///   - divisor: The number of parts per beat; above zero.
  ///   - rounding: The rounding to a subbeat.
  /// - Returns: The bar and beat, with the residue in subbeats.
  /// - Throws: The errors of `barBeat(at:divisor:rounding:)`.
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
    // A beat is less than 2³⁶ units, and the resolution is less than 2¹⁵.
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

  /// The bar, beat and subbeat of a number of subbeats from the start of a meter.
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
