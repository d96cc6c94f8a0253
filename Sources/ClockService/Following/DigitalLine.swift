// SPDX-License-Identifier: Apache-2.0

/// All lines of even ticks that are consistent with the frames in which the ticks were observed.
///
/// The frame of a tick gives two bounds on (place, period). The lines within the bounds of all
/// ticks are a convex polygon, and its centre is the best estimate, however slowly the ticks move
/// through the frames. A mean of the arrivals would follow these movements.
///
/// Lengths are in frames. The place is that of the last tick, relative to the end of its frame.
///
/// Source: L. Dorst and A. W. M. Smeulders, Discrete Representation of Straight Lines, 1984.
struct DigitalLine: BitwiseCopyable, Sendable {
  /// A line: the position of the last tick, and the distance between ticks.
  struct Corner: BitwiseCopyable {
    var place = 0.0
    var period = 0.0
  }

  /// More corners than ever occurred; a line between whole numbers has four.
  private static let capacity = 16
  /// A point closer than this to a bound is on it, so that rounding does not create corners.
  private static let rounding = 1e-9

  /// The number of ticks; 0 if the polygon is empty.
  private(set) var age = 0
  /// True if the last tick is known to be at an edge of its frame.
  private(set) var isAlongEdge = false
  private var count = 0
  /// The distance by which a tick may be outside of its frame.
  private var slack = 0.0
  private var corners = InlineArray<16, Corner>(repeating: Corner())

  /// Begins at a tick, with a range of periods.
  mutating func begin(_ periods: ClosedRange<Double>, slack: Double) {
    self.slack = slack
    let (early, late) = (-1 - slack, slack)
    corners[0] = Corner(place: early, period: periods.lowerBound)
    corners[1] = Corner(place: late, period: periods.lowerBound)
    corners[2] = Corner(place: late, period: periods.upperBound)
    corners[3] = Corner(place: early, period: periods.upperBound)
    (count, age, isAlongEdge) = (4, 1, false)
  }

  /// Adds a tick, at a number of ticks and frames after the last; false if the polygon becomes
  /// empty.
  mutating func add(steps: Double, frames: Double) -> Bool {
    var (early, late) = (Double.infinity, -Double.infinity)
    for index in 0..<count {
      corners[index].place += steps * corners[index].period - frames
      early = min(early, corners[index].place)
      late = max(late, corners[index].place)
    }
    if late > slack + Self.rounding { clip(sign: 1, slack) }
    if early < -1 - slack - Self.rounding { clip(sign: -1, 1 + slack) }
    // Twice the slack, because the position along an edge is not known more exactly than the slack.
    let place = 0.5 * (max(early, -1 - slack) + min(late, slack))
    isAlongEdge = max(place, -1 - place) > -2 * slack
    guard count > 2, count < Self.capacity - 2 else {
      forget()
      return false
    }
    age += 1
    return true
  }

  /// Keeps the part of the polygon up to a bound; with a sign of −1, for negative places.
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

  /// Removes all ticks.
  mutating func forget() { (count, age, isAlongEdge) = (0, 0, false) }

  /// The centre of all possible lines.
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
