// SPDX-License-Identifier: Apache-2.0

/// All that even ticks may be, of which only the frames are known in which they were.
///
/// A tick that is seen in a frame lies somewhere in it: two bounds on (place, period). What
/// satisfies the bounds of all ticks is a convex polygon, and its middle is the best guess, however
/// slowly the ticks wander through the frames, where a mean of the arrivals would follow these.
///
/// Lengths are in frames. The place is that of the last tick, from the end of its frame.
///
/// Source: L. Dorst and A. W. M. Smeulders, Discrete Representation of Straight Lines, 1984.
struct DigitalLine: BitwiseCopyable, Sendable {
  /// A line: where the last tick is, and how far apart they are.
  struct Corner: BitwiseCopyable {
    var place = 0.0
    var period = 0.0
  }

  /// More corners than there ever were; a line between whole numbers has four.
  private static let capacity = 16
  /// What is nearer to a bound lies on it: rounding shall make no corners.
  private static let rounding = 1e-9

  /// Ticks taken; none is left of a line that none satisfies.
  private(set) var age = 0
  /// Whether the last tick is known to lie at an edge of its frame.
  private(set) var isAlongEdge = false
  private var count = 0
  /// By how much a tick may lie outside of its frame.
  private var slack = 0.0
  private var corners = InlineArray<16, Corner>(repeating: Corner())

  /// Begins at a tick, with a period between two.
  mutating func begin(_ periods: ClosedRange<Double>, slack: Double) {
    self.slack = slack
    let (early, late) = (-1 - slack, slack)
    corners[0] = Corner(place: early, period: periods.lowerBound)
    corners[1] = Corner(place: late, period: periods.lowerBound)
    corners[2] = Corner(place: late, period: periods.upperBound)
    corners[3] = Corner(place: early, period: periods.upperBound)
    (count, age, isAlongEdge) = (4, 1, false)
  }

  /// Takes a tick, some ticks and frames after the last; false where no line goes through all.
  mutating func add(steps: Double, frames: Double) -> Bool {
    var (early, late) = (Double.infinity, -Double.infinity)
    for index in 0..<count {
      corners[index].place += steps * corners[index].period - frames
      early = min(early, corners[index].place)
      late = max(late, corners[index].place)
    }
    if late > slack + Self.rounding { clip(sign: 1, slack) }
    if early < -1 - slack - Self.rounding { clip(sign: -1, 1 + slack) }
    // Twice the slack: what goes along an edge is nowhere known better than by one.
    let place = 0.5 * (max(early, -1 - slack) + min(late, slack))
    isAlongEdge = max(place, -1 - place) > -2 * slack
    guard count > 2, count < Self.capacity - 2 else {
      forget()
      return false
    }
    age += 1
    return true
  }

  /// Leaves what lies at most at a bound; of the negative places, for a sign of −1.
  private mutating func clip(sign: Double, _ most: Double) {
    guard count > 2, count < Self.capacity - 1 else { return }
    var (kept, left) = (corners, 0)
    var last = corners[count - 1]
    for index in 0..<count {
      let corner = corners[index]
      let (before, after) = (most - sign * last.place, most - sign * corner.place)
      if min(before, after) < -Self.rounding, max(before, after) > Self.rounding {
        let part = before / (before - after)
        kept[left] = Corner(
          place: sign * most, period: last.period + part * (corner.period - last.period))
        left += 1
      }
      if after >= -Self.rounding {
        kept[left] = corner
        left += 1
      }
      last = corner
    }
    (corners, count) = (kept, left)
  }

  /// Knows no tick any more.
  mutating func forget() { (count, age, isAlongEdge) = (0, 0, false) }

  /// The centre of all lines that there may be.
  var middle: Corner {
    let origin = corners[0]
    var (area, place, period) = (0.0, 0.0, 0.0)
    for index in 1..<(count - 1) {
      let (x1, y1) = (corners[index].place - origin.place, corners[index].period - origin.period)
      let (x2, y2) = (
        corners[index + 1].place - origin.place, corners[index + 1].period - origin.period
      )
      let part = x1 * y2 - x2 * y1
      area += part
      place += part * (x1 + x2)
      period += part * (y1 + y2)
    }
    guard area > 0 else { return origin }
    return Corner(
      place: origin.place + place / (3 * area), period: origin.period + period / (3 * area))
  }
}
