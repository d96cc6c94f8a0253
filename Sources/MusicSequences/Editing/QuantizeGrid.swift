// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A grid of ticks for `MusicTrack.quantize`.
///
/// Lines follow each other at equal steps from an origin. At a later origin, such as a change of
/// meter, the grid restarts. With swing, every second line is later. Its position is a fraction of
/// two steps: 1/2 is straight, and 2/3 has the feel of triplets.
public struct QuantizeGrid: Hashable, Sendable {
  /// The distance between two lines, in ticks.
  public let step: Ratio
  /// The position of every second line, as a fraction of two steps: 1/2 is straight.
  public let swing: Ratio

  private let origins: [UInt64]
  /// Two steps, the second line and one tick, in a unit in which all three are integers.
  private let pair: Int128
  private let offBeat: Int128
  private let tick: Int128

  /// Creates a grid.
  ///
  /// At 480 PPQN, sixteenths have a step of 120 ticks, and quintuplet sixteenths a step of 96.
  ///
  /// - Parameters:
  ///   - step: The distance between two lines in ticks, above 0; it can be a fraction.
  ///   - swing: The position of every second line as a fraction of two steps, between 0 and 1, both
  ///     excluded; 1/2 by default.
  ///   - origins: The ticks at which the grid restarts, in any order; tick 0 is always included.
  /// - Throws: `SequenceError.outOfRange` if `step` or `swing` is out of range, or its numerator or
  ///   denominator has more than 31 bits.
  public init(
    step: Ratio, swing: Ratio = Ratio(1, over: 2), origins: [Tick] = []
  ) throws(SequenceError) {
    let limit = Int128(Int32.max)
    guard step > 0, step.numerator <= limit, step.denominator <= limit else {
      throw .outOfRange(
        "grid step \(step) ticks is out of range (allowed: 1/2147483647…2147483647)")
    }
    guard swing > 0, swing < 1, swing.denominator <= limit else {
      throw .outOfRange(
        "swing \(swing) is out of range (allowed: above 0 and below 1, straight is 1/2)")
    }
    self.step = step
    self.swing = swing
    let all = [0] + origins.filter { $0.value > 0 }.map { UInt64($0.value) }.sorted()
    self.origins = all
    pair = 2 * step.numerator * swing.denominator
    offBeat = 2 * step.numerator * swing.numerator
    tick = step.denominator * swing.denominator
  }

  /// The tick of the nearest line; the later of two equally near lines.
  func line(nearestTo position: UInt64) -> UInt64 {
    let next = firstOrigin(after: position)
    let origin = origins[next - 1]
    let first = Int128(position - origin) * tick / pair * pair
    let lines = [first, first + offBeat, first + pair].map { line in
      UInt64(clamping: Int128(origin) + (2 * line + tick) / (2 * tick))
    }
    var best = origin
    for line in lines where next == origins.count || line < origins[next] {
      if Self.distance(line, position) <= Self.distance(best, position) { best = line }
    }
    guard next < origins.count else { return best }
    let isNearer = Self.distance(origins[next], position) <= Self.distance(best, position)
    return isNearer ? origins[next] : best
  }

  private static func distance(_ first: UInt64, _ second: UInt64) -> UInt64 {
    first > second ? first - second : second - first
  }

  private func firstOrigin(after position: UInt64) -> Int {
    var low = 0
    var high = origins.count
    while low < high {
      let middle = (low + high) >> 1
      if origins[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
