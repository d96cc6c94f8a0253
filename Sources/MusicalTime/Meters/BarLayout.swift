// SPDX-License-Identifier: Apache-2.0

/// The calculation that assigns meter changes to bar lines.
struct BarLayout {
  let unit: Int64
  let barOneAt: Int64
  private var pending: [(start: Int64, signature: TimeSignature)]
  private(set) var starts: [Int64] = []
  private(set) var bars: [Int64] = []
  private(set) var signatures: [TimeSignature] = []

  init(unit: Int64, barOneAt: Ratio, steps: [MeterChange]) throws(TimeError) {
    self.unit = unit
    self.barOneAt = try barOneAt.units(unit)
    pending = []
    for step in steps {
      pending.append((try step.position.units(unit), step.signature))
    }
    insertBarOne()
  }

  /// Makes the start of bar 1 a bar line, by moving the first meter, or by starting another bar of
  /// a later meter if that applies there.
  private mutating func insertBarOne() {
    guard pending.count > 1, pending[1].start <= barOneAt else {
      pending[0].start = barOneAt
      return
    }
    let after = pending.firstIndex { $0.start > barOneAt } ?? pending.count
    guard pending[after - 1].start != barOneAt else { return }
    pending.insert((barOneAt, pending[after - 1].signature), at: after)
  }

  /// Assigns the first bar line, with its bar number, to every meter.
  mutating func place(_ policy: MidBarPolicy) throws(TimeError) {
    append(pending[0].start, bar: 1, pending[0].signature)
    for next in pending.dropFirst() {
      try place(next.start, next.signature, policy)
    }
    renumber()
  }

  private mutating func place(
    _ start: Int64, _ signature: TimeSignature, _ policy: MidBarPolicy
  ) throws(TimeError) {
    let last = starts.count - 1
    let length = signatures[last].unitsPerBar(unit)
    // A deferred change may be later than this one, which then shares its bar line or follows it.
    let distance = max(start - starts[last], 0)
    let (whole, rest) = flooredDivision(distance, by: length)
    guard rest != 0 else { return append(start, bar: bars[last] + whole, signature) }
    switch policy {
    case .truncate:
      append(start, bar: bars[last] + whole + 1, signature)
    case .defer:
      append(starts[last] + (whole + 1) * length, bar: bars[last] + whole + 1, signature)
    case .error:
      throw .meterChangeInsideBar(at: Ratio(start, over: unit))
    }
  }

  /// Adds a meter, or replaces the last one if both have the same bar line.
  private mutating func append(_ start: Int64, bar: Int64, _ signature: TimeSignature) {
    if let last = starts.last, start <= last {
      signatures[signatures.count - 1] = signature
      return
    }
    starts.append(start)
    bars.append(bar)
    signatures.append(signature)
  }

  /// Renumbers bars so that the bar at the start of bar 1 has the number 1.
  private mutating func renumber() {
    let index = lastIndex(in: starts, atOrBelow: barOneAt)
    let offset = bars[index] - 1
    for index in bars.indices { bars[index] -= offset }
  }
}

extension Ratio {
  /// The value as an integer of 1/`unit`; the value must be a multiple of that.
  func units(_ unit: Int64) throws(TimeError) -> Int64 {
    let scaled = try self * Ratio(unit)
    guard let narrow = Int64(exactly: scaled.numerator), narrow.magnitude <= 1 << 60 else {
      throw .overflow("meter map")
    }
    return narrow
  }
}

extension TimeSignature {
  /// The length of a bar in units of 1/`unit` quarter note.
  func unitsPerBar(_ unit: Int64) -> Int64 { Int64(numerator) * unitsPerBeat(unit) }

  /// The length of a beat in units of 1/`unit` quarter note.
  func unitsPerBeat(_ unit: Int64) -> Int64 {
    32 * unit / (Int64(denominator) * Int64(thirtySecondsPerQuarter))
  }
}
