// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces

/// What can be known of even clocks of which only their frames are seen: the middle of all lines
/// that go through these frames.
///
/// It knows the frames exactly, and that the tempo never changes. A clock that keeps its place in
/// its frame tells nothing of where that is, until it leaves it: nobody knows more.
struct FrameBound: TracedFollower {
  /// Before so many clocks nobody knows that there are frames.
  private static let first = 28.0

  private let frame: Double
  private let phase: Double
  private var corners: [(place: Double, period: Double)] = []
  private var middle: (place: Double, period: Double)?
  private var last = 0.0
  private var count = -1.0

  /// Finds the ends of frames, of a length in seconds, in all of a trace.
  init(frame: Double, _ trace: ClockTrace) {
    self.frame = frame
    let parts = trace.arrivals.map { $0 / frame - ($0 / frame).rounded(.down) }.sorted()
    // An arrival is at the end of its frame or just after: before it is the widest gap.
    var (widest, end) = (parts[0] + 1 - parts[parts.count - 1], parts[0])
    for index in parts.indices.dropFirst() where parts[index] - parts[index - 1] > widest {
      (widest, end) = (parts[index] - parts[index - 1], parts[index])
    }
    phase = end - 1e-6
  }

  var period: Double { (middle?.period ?? .nan) * frame }

  mutating func tick(at time: Double) {
    count += 1
    let number = (time / frame - phase).rounded(.down)
    let frames = number - last
    last = number
    guard count >= Self.first else { return }
    if corners.isEmpty {
      let (low, high) = (frames - 1, frames + 1)
      corners = [(-1, low), (0, low), (0, high), (-1, high)]
    } else {
      corners = corners.map { ($0.place + $0.period - frames, $0.period) }
      corners = Self.clip(Self.clip(corners, 1, 1e-4), -1, 1 + 1e-4)
    }
    middle = Self.middle(of: corners) ?? middle
  }

  func position(at time: Double) -> Double? {
    middle.map { count + (time / frame - phase - last - $0.place - 0.5) / $0.period }
  }

  private static func clip(
    _ corners: [(place: Double, period: Double)], _ sign: Double, _ most: Double
  ) -> [(place: Double, period: Double)] {
    corners.indices.flatMap { index in
      let (from, to) = (corners[index == 0 ? corners.count - 1 : index - 1], corners[index])
      let (before, after) = (most - sign * from.place, most - sign * to.place)
      let part = before / (before - after)
      let cut = (place: sign * most, period: from.period + part * (to.period - from.period))
      return (before * after < 0 ? [cut] : []) + (after >= 0 ? [to] : [])
    }
  }

  private static func middle(
    of corners: [(place: Double, period: Double)]
  ) -> (place: Double, period: Double)? {
    guard let origin = corners.first, corners.count > 2 else { return nil }
    var (area, place, period) = (0.0, 0.0, 0.0)
    for index in 1..<(corners.count - 1) {
      let (a, b) = (corners[index], corners[index + 1])
      let (x1, y1) = (a.place - origin.place, a.period - origin.period)
      let (x2, y2) = (b.place - origin.place, b.period - origin.period)
      let part = x1 * y2 - x2 * y1
      area += part
      place += part * (x1 + x2)
      period += part * (y1 + y2)
    }
    guard area > 0 else { return nil }
    return (origin.place + place / (3 * area), origin.period + period / (3 * area))
  }
}
