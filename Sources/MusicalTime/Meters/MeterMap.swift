// SPDX-License-Identifier: Apache-2.0

/// The effect of a meter change that is not at a bar line.
public enum MidBarPolicy: String, Hashable, Sendable, CaseIterable {
  /// A new bar begins at the change and cuts the previous bar short, as sequencers show it.
  case truncate
  /// The change takes effect at the next bar line.
  case `defer`
  /// Creating the map throws an error.
  case error
}

/// The meters of a song, with exact conversion between quarter notes and bars and beats.
///
/// If several changes are at one position, the last one applies. Before the first change the meter
/// is 4/4. The position of bar 1 can be set, so that a pickup is the end of bar 0, and a count-in
/// consists of bars 0, −1 and so on.
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
  ///   - policy: The effect of a change that is not at a bar line; `truncate` by default.
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

  /// A map with the meter 4/4 from bar 1 on.
  public static let common: MeterMap = {
    do {
      return try MeterMap()
    } catch {
      preconditionFailure("internal error: the meter 4/4 was rejected")
    }
  }()

  /// The meter changes that have an effect, in order.
  ///
  /// The position of each is the start of its first bar.
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
