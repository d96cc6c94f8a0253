// SPDX-License-Identifier: Apache-2.0

/// The tempi of a piece over its ticks, with exact integer running totals.
///
/// A map is made of steps. A change takes effect at its tick; of several at one tick the last
/// wins; before the first change the tempo is 120 beats per minute; ticks below zero extend the
/// first step and ticks past the last change extend the last. Time is summed in integers of
/// 10 ns · ticks and divided once, at the end: nothing drifts, at any length.
///
/// With an SMPTE division the length of a tick is fixed: tempo changes then say only where beats
/// fall.
///
/// A map never changes and may be read from any thread.
/// - Complexity: Look-ups are O(log n) in the number of changes; a `Cursor` is O(1) in order.
public struct TempoMap: Sendable {
  /// What one tick is.
  public let division: Division

  // A search touches only keys; the step it finds is one piece of memory. Totals and lengths of
  // ticks are in units of 1/unitsPerSecond.
  @usableFromInline let starts: StepIndex
  @usableFromInline let totals: StepIndex
  @usableFromInline let steps: [TempoStep]
  @usableFromInline let unitsPerSecond: Int64
  @usableFromInline let nanosecondScale: UnitScale

  let tempoTicks: [Int64]
  let tempi: [Tempo]
  let quarterTotals: [Ratio]

  /// Creates a map of one tempo.
  ///
  /// - Parameters:
  ///   - ppqn: Ticks per quarter note.
  ///   - tempo: The tempo throughout.
  public init(ppqn: PPQN, tempo: Tempo = .standard) {
    division = .ppqn(ppqn)
    starts = StepIndex([0])
    totals = starts
    unitsPerSecond = Int64(ppqn.ticks) * 100_000_000
    nanosecondScale = UnitScale(unitsPerSecond: unitsPerSecond, targetPerSecond: 1_000_000_000)
    let length = Int64(tempo.tenNanosecondsPerQuarter)
    steps = [TempoStep(start: 0, total: 0, length: length, nanosecondScale)]
    tempoTicks = [0]
    tempi = [tempo]
    quarterTotals = []
  }

  /// Creates a map from tempo changes in any order.
  ///
  /// - Parameters:
  ///   - division: What one tick is.
  ///   - changes: The changes of all tracks, in the order they were read.
  /// - Throws: `TimeError.fieldOutOfRange` for a change below tick 0 or an SMPTE division of zero
  ///   ticks a frame; `TimeError.overflow` where the total time does not fit 64 bits (782 h at
  ///   32 767 PPQN and the slowest tempo).
  /// - Complexity: O(n log n).
  public init(division: Division, changes: [TempoChange]) throws(TimeError) {
    let changes = try Self.steps(from: changes)
    tempoTicks = changes.map(\.tick.value)
    tempi = changes.map(\.tempo)
    let (keys, lengths, sums): ([Int64], [Int64], [Int64])
    self.division = division
    switch division {
    case .ppqn(let resolution):
      keys = tempoTicks
      lengths = tempi.map { Int64($0.tenNanosecondsPerQuarter) }
      unitsPerSecond = Int64(resolution.ticks) * 100_000_000
      sums = try Self.totals(keys, lengths)
      quarterTotals = []
    case .smpte(let rate, let ticks):
      guard ticks > 0 else {
        throw .fieldOutOfRange(field: "ticks per frame", value: "0", range: "1…255")
      }
      (keys, sums) = ([0], [0])
      lengths = [rate.fpsDenominator]
      unitsPerSecond = rate.fpsNumerator * Int64(ticks)
      quarterTotals = try Self.quarterTotals(
        changes, ticksPerSecond: Ratio(unitsPerSecond, over: rate.fpsDenominator))
    }
    let scale = UnitScale(unitsPerSecond: unitsPerSecond, targetPerSecond: 1_000_000_000)
    nanosecondScale = scale
    steps = keys.indices.map {
      TempoStep(start: keys[$0], total: sums[$0], length: lengths[$0], scale)
    }
    starts = StepIndex(keys)
    totals = StepIndex(sums)
  }

  /// The tempo changes in force, in order; the first is at tick 0.
  public var changes: [TempoChange] {
    zip(tempoTicks, tempi).map { TempoChange(tick: Tick($0), tempo: $1) }
  }

  /// The tempo in force at a tick.
  public func tempo(at tick: Tick) -> Tempo {
    tempi[lastIndex(in: tempoTicks, atOrBelow: tick.value)]
  }

  /// One change a tick, in order, beginning at tick 0.
  private static func steps(from changes: [TempoChange]) throws(TimeError) -> [TempoChange] {
    let order = changes.enumerated().sorted { left, right in
      (left.element.tick, left.offset) < (right.element.tick, right.offset)
    }
    var steps = [TempoChange(tick: 0, tempo: .standard)]
    for (_, change) in order {
      guard change.tick >= .zero else {
        throw .fieldOutOfRange(
          field: "tempo change at tick", value: "\(change.tick.value)", range: "0 or above")
      }
      if steps[steps.count - 1].tick == change.tick { steps.removeLast() }
      steps.append(change)
    }
    return steps
  }

  /// The running totals of `lengths` over `starts`.
  private static func totals(_ starts: [Int64], _ lengths: [Int64]) throws(TimeError) -> [Int64] {
    var totals: [Int64] = [0]
    totals.reserveCapacity(starts.count)
    for index in starts.indices.dropFirst() {
      let ticks = starts[index] - starts[index - 1]
      let (product, overflow) = ticks.multipliedReportingOverflow(by: lengths[index - 1])
      let (sum, carry) = product.addingReportingOverflow(totals[index - 1])
      guard !overflow, !carry else { throw .overflow("tempo map") }
      totals.append(sum)
    }
    return totals
  }
}

extension TempoMap: Hashable {
  /// Whether two maps have the same division and the same changes.
  public static func == (left: TempoMap, right: TempoMap) -> Bool {
    left.division == right.division && left.tempoTicks == right.tempoTicks
      && left.tempi == right.tempi
  }

  /// Feeds the division and the changes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(division)
    hasher.combine(tempoTicks)
    hasher.combine(tempi)
  }
}

/// The last index whose key is at or below a value; 0 where none is.
///
/// - Precondition: `keys` is ascending and not empty.
func lastIndex(in keys: [Int64], atOrBelow value: Int64) -> Int {
  var base = 0
  var count = keys.count
  while count > 1 {
    let half = count / 2
    base = keys[base + half] <= value ? base + half : base
    count -= half
  }
  return base
}
