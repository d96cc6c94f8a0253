// SPDX-License-Identifier: Apache-2.0

/// Ticks that come over a bus or radio with frames: where they truly are.
///
/// It stands beside the filter. Where there are no frames, or ticks are not even, it knows nothing.
struct FramedTicks: BitwiseCopyable, Sendable {
  /// Before so many ticks the filter knows as much.
  private static let leastAge = 96
  /// A line that breaks before this many times the age at which it was trusted was too young, and
  /// the next must be as much older: so a master that jitters itself is left to the filter.
  private static let doubt = 4
  private static let mostAge = 1 << 16
  /// A line is followed for as long as all its ticks satisfy it; this one is its successor, which
  /// never looks further back.
  private static let span = 256

  private var grid = FrameGrid()
  private var line = DigitalLine()
  private var successor = DigitalLine()
  /// Ticks since the last that was at the end of a frame.
  private var steps = 0
  private var middle = DigitalLine.Corner()
  /// The age from which on a line is followed.
  private var trusted = Self.leastAge
  /// By how much a tick may lie outside of its frame, in frames: no master is all even.
  private var slack = Self.leastSlack
  private static let leastSlack = 0.005
  private static let mostSlack = 0.05

  /// Takes the arrival of a tick so many ticks on; the period is what the filter believes.
  @inline(__always)
  mutating func add(_ arrival: Int64, steps: Int, period: Double) {
    self.steps += steps
    guard let frames = grid.add(arrival) else {
      if !grid.isKnown { restart() }
      return
    }
    guard grid.isKnown else { return self.steps = 0 }
    extend(frames, period / grid.length)
  }

  private mutating func extend(_ frames: Double, _ period: Double) {
    let steps = Double(self.steps)
    self.steps = 0
    let periods = 0.8 * period...1.25 * period
    if successor.age == 0 || successor.age >= Self.span
      || !successor.add(steps: steps, frames: frames)
    {
      successor.begin(periods, slack: slack)
    }
    let age = line.age
    if age == 0 || !line.add(steps: steps, frames: frames) {
      judge(age)
      line = successor
    }
    if line.age >= trusted { middle = line.middle }
  }

  /// Learns from the age at which a line broke how old one must be.
  private mutating func judge(_ age: Int) {
    if age >= 4 * Self.doubt * trusted {
      trusted = max(trusted / Self.doubt, Self.leastAge)
    } else if age >= trusted, age < Self.doubt * trusted {
      if slack > Self.leastSlack { trusted = min(trusted * Self.doubt, Self.mostAge) }
      slack = Self.mostSlack
    }
  }

  /// Forgets the ticks, and keeps the frames.
  mutating func restart() {
    line.forget()
    successor.forget()
    steps = 0
  }

  /// The last tick, as it would arrive at the mean delay, and the period, in nanoseconds; nil
  /// where the filter knows better.
  @inline(__always)
  var estimate: (anchor: Int64, offset: Double, period: Double)? {
    guard line.age >= trusted, grid.isKnown else { return nil }
    let place = middle.place + 0.5 + Double(steps) * middle.period
    return (grid.anchor, grid.offset + place * grid.length, middle.period * grid.length)
  }
}
