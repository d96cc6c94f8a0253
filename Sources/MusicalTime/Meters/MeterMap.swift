// SPDX-License-Identifier: Apache-2.0

/// What a meter change does to the bar that it falls into.
public enum MidBarPolicy: String, Hashable, Sendable, CaseIterable {
  /// A new bar begins at the change; the bar before is short. What sequencers show.
  case truncate
  /// The change waits for the next bar line.
  case `defer`
  /// The map is refused.
  case error
}

/// The meters of a piece: they turn positions in quarter notes into bars and beats, exactly.
///
/// Of several changes at one position the last wins; before the first change the meter is 4/4.
/// Bar 1 begins at an origin, so that a pickup is the end of bar 0 and a count-in is bars 0, −1, …
/// by the same formula. Bar, beat and subbeat come from one integer and can never disagree.
///
/// A map never changes and may be read from any thread.
/// - Complexity: Look-ups are O(log n) in the number of changes.
public struct MeterMap: Hashable, Sendable {
  // Positions are integers of 1/unitsPerQuarter quarter notes, in which every change and every
  // beat of every meter is whole.
  let unitsPerQuarter: Int64
  let starts: [Int64]
  let bars: [Int64]
  let signatures: [TimeSignature]

  /// Creates a map from meter changes in any order.
  ///
  /// - Parameters:
  ///   - changes: The changes, in the order they were read.
  ///   - barOneAt: The position in quarter notes at which bar 1 begins.
  ///   - policy: What a change inside a bar does.
  /// - Throws: `TimeError.meterChangeInsideBar` under the policy `error`;
  ///   `TimeError.fieldOutOfRange` for a change below 0; `TimeError.overflow` for positions that
  ///   have no common unit in 64 bits.
  /// - Complexity: O(n log n).
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

  /// 4/4 from bar 1 on.
  public static let common: MeterMap = {
    do {
      return try MeterMap()
    } catch {
      preconditionFailure("internal error: the meter 4/4 was rejected")
    }
  }()

  /// The meter changes in force, in order, at the positions where their bars begin.
  public var changes: [MeterChange] {
    zip(starts, signatures).map {
      MeterChange(position: Ratio($0, over: unitsPerQuarter), signature: $1)
    }
  }

  /// One change a position, in order, beginning at 0.
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
