// SPDX-License-Identifier: Apache-2.0

extension TempoRamp {
  /// The unit to which the tempi of steps are rounded.
  public enum StepUnit: Int64, Hashable, Sendable {
    /// 10 ns per quarter note, as in a `TempoMap` and the MIDI 2.0 Set Tempo message.
    case tenNanoseconds = 1
    /// 1 µs per quarter note, as in a Standard MIDI File.
    case microseconds = 100
  }

  /// Approximates the ramp by tempo steps.
  ///
  /// The duration of the ramp is rounded once, to a multiple of 1 µs / PPQN, and the steps have
  /// exactly this duration in total. Rounding errors are carried from step to step, and the last
  /// step is split in two if one tempo is not enough to reach the end. The end of the ramp
  /// therefore has the same time in both units. Inside the ramp, the start of a step deviates from
  /// the curve by at most half of `unit` / PPQN for each tick of the step.
  ///
  /// - Parameters:
  ///   - start: The first tick of the ramp.
  ///   - ppqn: Ticks per quarter note.
  ///   - stepTicks: Ticks per step, at least 1.
  ///   - unit: The unit to which each tempo is rounded.
  /// - Returns: The steps, and a change to the final tempo at the end of the ramp.
  /// - Throws: `TimeError.inexact` if the length is not a whole number of ticks;
  ///   `TimeError.badTempo` if a step needs a tempo that is out of range; `TimeError.overflow`.
  /// - Complexity: O(n) in the number of steps.
  public func changes(
    from start: Tick, ppqn: PPQN, stepTicks: Int64, unit: StepUnit
  ) throws(TimeError) -> [TempoChange] {
    let length = try (quarters * Ratio(Int64(ppqn.ticks))).rounded(.exact, unit: "ticks").value
    var steps = StepSeries(start: start.value, unit: unit.rawValue)
    var tick: Int64 = 0
    while tick < length {
      let next = min(tick + max(stepTicks, 1), length)
      let isLast = next == length
      let target = try total(
        atTick: next, ppqn, grid: isLast ? StepUnit.microseconds.rawValue : 1)
      try steps.append(ticks: next - tick, upTo: target, isLast: isLast)
      tick = next
    }
    let end = try Tempo.beatsPerMinute(to, rounding: .nearest).value
    let (last, overflow) = start.value.addingReportingOverflow(length)
    guard !overflow else { throw .overflow("ticks") }
    return try steps.changes
      + [TempoChange(tick: Tick(last), tempo: unit.nearest(end))]
  }

  /// The time from the start of the ramp to a tick, in 10 ns / PPQN, rounded to a multiple of
  /// `grid`.
  private func total(
    atTick tick: Int64, _ ppqn: PPQN, grid: Int64
  ) throws(TimeError) -> Int64 {
    let scale = Int64(ppqn.ticks) * 100_000_000 / grid
    switch try seconds(atQuarters: Ratio(tick, over: Int64(ppqn.ticks))) {
    case .exact(let seconds):
      return try (seconds * Ratio(scale)).rounded(.nearest, unit: "tempo map").value * grid
    case .approximate(let seconds):
      guard let count = Int64(exactly: (seconds * Double(scale)).rounded()) else {
        throw .overflow("tempo map")
      }
      return count * grid
    }
  }
}

extension TempoRamp.StepUnit {
  /// The nearest tempo in this unit.
  fileprivate func nearest(_ tempo: Tempo) throws(TimeError) -> Tempo {
    let length = Int64(tempo.tenNanosecondsPerQuarter)
    return try Tempo.checked((length + rawValue / 2) / rawValue * rawValue)
  }
}

extension Tempo {
  /// The tempo with a length in units of 10 ns.
  static func checked(_ length: Int64) throws(TimeError) -> Tempo {
    guard let narrow = UInt32(exactly: length),
      let tempo = Tempo(tenNanosecondsPerQuarter: narrow)
    else { throw .badTempo("\(length) · 10 ns per quarter") }
    return tempo
  }
}

/// Steps whose total follows a curve; the rounding error of each step is carried into the next.
private struct StepSeries {
  let unit: Int64
  var tick: Int64
  var total: Int64 = 0
  var changes: [TempoChange] = []

  init(start: Int64, unit: Int64) {
    self.unit = unit
    tick = start
  }

  /// Adds a step that ends as near to a total as its unit allows; the last step ends exactly there.
  mutating func append(
    ticks: Int64, upTo target: Int64, isLast: Bool
  ) throws(TimeError) {
    let missing = (target - total) / unit
    if isLast {
      let (tempo, rest) = flooredDivision(missing, by: ticks)
      try append(ticks: ticks - rest, tempo)
      try append(ticks: rest, tempo + 1)
    } else {
      try append(ticks: ticks, (missing + ticks / 2) / ticks)
    }
  }

  private mutating func append(ticks: Int64, _ length: Int64) throws(TimeError) {
    guard ticks > 0 else { return }
    let tempo = try Tempo.checked(length * unit)
    if changes.last?.tempo != tempo {
      changes.append(TempoChange(tick: Tick(tick), tempo: tempo))
    }
    let (next, overflow) = tick.addingReportingOverflow(ticks)
    guard !overflow else { throw .overflow("ticks") }
    tick = next
    total += length * unit * ticks
  }
}
