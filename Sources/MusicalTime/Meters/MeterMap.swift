// SPDX-License-Identifier: Apache-2.0

/// The effect of a meter change inside a bar.
public enum MidBarPolicy: String, Hashable, Sendable, CaseIterable {
  /// A new bar begins at the change, and the bar before is short, as sequencers show it.
  case truncate
  /// The change takes effect at the next bar line.
  case `defer`
  /// The initialiser of the map throws an error.
  case error
}

/// The meters of a song, with exact conversion between quarter notes and bars and beats.
///
/// If several changes are at one position, the last one applies. Before the first change the meter
/// is 4/4. Bar 1 begins at a given position, so that a pickup is the end of bar 0, and a count-in
/// consists of bars 0, −1, … Bar, beat and subbeat are calculated from one integer and are always
/// consistent.
///
/// A map is immutable and can be read on any thread.
///
/// - Complexity: Conversions are O(log n) in the number of changes.
public struct MeterMap: Hashable, Sendable {
  // Positions are integers of 1/unitsPerQuarter quarter notes. Every change and every beat of every
  // meter is an integer in this unit.
  let unitsPerQuarter: Int64
  let starts: [Int64]
  let bars: [Int64]
  let signatures: [TimeSignature]

  /// Creates a map from meter changes in any order.
  ///
  /// - Parameters:
  ///   - changes: The changes, in the order in which they were read.
  ///   - barOneAt: The position of bar 1 in quarter notes; 0 by default.
  ///   - policy: The effect of a change inside a bar; `truncate` by default.
  /// - Throws: `TimeError.meterChangeInsideBar` if the policy is `error`;
  ///   `TimeError.fieldOutOfRange` for a change before position 0; `TimeError.overflow` if the
  ///   common denominator of the positions is 2³¹ or more.
  /// - Complexity: O(n log n) in the number of changes.
  public init(
    changes: [MeterChange] = [], barOneAt: Ratio = 0, policy: MidBarPolicy = .truncate
  ) throws(TimeError) {
    let steps = try Self.steps(from: changes)
    let unit = try Self.unitsPerQuarter(steps, barOneAt)
    var layout = try BarLayout(unit: unit, barOneAt: barOneAt, steps: steps)
    try layout.place(policy)
    unitsPerQuarter = unit
    starts = layout.starts
    bars = layout.bars
    signatures = layout.signatures
  }

  /// 4/4 from bar 1.
  public static let common: MeterMap = {
    do {
      return try MeterMap()
    } catch {
      preconditionFailure("internal error: the meter 4/4 was rejected")
    }
  }()

  /// The effective meter changes in order, at the positions at which their first bars begin.
  public var changes: [MeterChange] {
    zip(starts, signatures).map {
      MeterChange(position: Ratio($0, over: unitsPerQuarter), signature: $1)
    }
  }

  /// The effective changes: in order, one per position, the first at 0.
  private static func steps(from changes: [MeterChange]) throws(TimeError) -> [MeterChange] {
    let order = changes.enumerated().sorted { left, right in
      (left.element.position, left.offset) < (right.element.position, right.offset)
    }
    var steps = [MeterChange(position: .zero, signature: .common)]
    for (_, change) in order {
      guard change.position >= .zero else {
        throw .fieldOutOfRange(
          field: "meter change at quarter note", value: "\(change.position)",
          range: "0 or above")
      }
      if steps[steps.count - 1].position == change.position { steps.removeLast() }
      steps.append(change)
    }
    return steps
  }

  /// The least common multiple of all denominators.
  private static func unitsPerQuarter(
    _ steps: [MeterChange], _ barOneAt: Ratio
  ) throws(TimeError) -> Int64 {
    var unit = barOneAt.denominator
    for step in steps {
      for part in [step.position.denominator, step.signature.quartersPerBeat.denominator] {
        unit = try multiply(unit, part / Int128(greatestCommonDivisor(unit, part)))
        guard unit <= Int128(Int32.max) else { throw .overflow("meter map") }
      }
    }
    return Int64(unit)
  }
}
