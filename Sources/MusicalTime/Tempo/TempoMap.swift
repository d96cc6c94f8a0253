// SPDX-License-Identifier: Apache-2.0

/// The tempo over a song's ticks, with exact integer totals.
///
/// A map consists of constant tempi that change at ticks. If several changes are at one tick, the
/// last one applies. Before the first change the tempo is 120 beats per minute. The first tempo
/// also applies before tick 0, and the last one to all later ticks. Times are summed as integers
/// and divided only once, so that they do not drift in long songs.
///
/// With an SMPTE division the length of a tick is fixed, and tempo changes only affect beats.
///
/// A map is immutable and can be read on any thread.
///
/// - Complexity: Conversions are O(log n) in the number of changes; with a `Cursor` they are O(1)
///   in ascending order.
public struct TempoMap: Sendable {
  /// The length of a tick: a part of a quarter note or of an SMPTE frame.
  public let division: Division

  // A search only reads the keys, and the step that it finds is contiguous in memory. Totals and
  // lengths of ticks are in units of 1/unitsPerSecond.
  @usableFromInline let starts: StepIndex
  @usableFromInline let totals: StepIndex
  @usableFromInline let steps: [TempoStep]
  @usableFromInline let unitsPerSecond: Int64
  @usableFromInline let nanosecondScale: UnitScale

  let tempoTicks: [Int64]
  let tempi: [Tempo]
  let quarterTotals: [Ratio]

  /// Creates a map with one tempo.
  ///
  /// - Parameters:
  ///   - ppqn: Ticks per quarter note.
  ///   - tempo: The tempo of the whole song; 120 beats per minute by default.
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
  ///   - division: The length of a tick.
  ///   - changes: The changes of all tracks, in the order in which they were read.
  /// - Throws: `TimeError.fieldOutOfRange` for a change before tick 0 or an SMPTE division of zero
  ///   ticks per frame; `TimeError.overflow` if the total time does not fit in 64 bits (782 h at
  ///   32 767 PPQN and the slowest tempo).
  /// - Complexity: O(n log n) in the number of changes.
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

  /// The tempo changes that have an effect, in order, at most one per tick.
  ///
  /// The first is always at tick 0.
  public var changes: [TempoChange] {
    zip(tempoTicks, tempi).map { TempoChange(tick: Tick($0), tempo: $1) }
  }

  /// Returns the tempo at a tick.
  ///
  /// - Complexity: O(log n) in the number of changes.
  public func tempo(at tick: Tick) -> Tempo {
    tempi[lastIndex(in: tempoTicks, atOrBelow: tick.value)]
  }

  /// The effective changes: in order, one per tick, the first at tick 0.
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

  /// The totals of `lengths` up to each tick in `starts`.
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
  /// Returns true if two maps have the same division and the same effective changes.
  public static func == (left: TempoMap, right: TempoMap) -> Bool {
    left.division == right.division && left.tempoTicks == right.tempoTicks
      && left.tempi == right.tempi
  }

  /// Adds the division and the changes to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(division)
    hasher.combine(tempoTicks)
    hasher.combine(tempi)
  }
}

/// The last index whose key is at or below a value, or 0 if all keys are above it.
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
