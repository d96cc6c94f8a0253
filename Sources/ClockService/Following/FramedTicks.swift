// SPDX-License-Identifier: Apache-2.0

/// Ticks that come over a bus or radio with frames: where they truly are.
///
/// It stands beside the filter. Where there are no frames, or ticks are not even, it knows nothing.
struct FramedTicks: BitwiseCopyable, Sendable {
  private var grid = FrameGrid()
  /// A line is followed for as long as all its ticks satisfy it; its successor forgives more, and
  /// never looks further back than `FrameTuning.span`.
  private var line = DigitalLine()
  private var successor = DigitalLine()
  /// Ticks since the last that was at the end of a frame.
  private var steps = 0
  private var middle = DigitalLine.Corner()
  /// The age from which on a line is followed.
  private var trusted = FrameTuning.leastAge
  /// Whether the master jitters itself.
  private var isJittery = false
  /// How much of late the line lay along an edge.
  private var touches = 0

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
    let periods = period / FrameTuning.open...period * FrameTuning.open
    if successor.age == 0 || successor.age >= FrameTuning.span
      || !successor.add(steps: steps, frames: frames)
    {
      successor.begin(periods, slack: FrameTuning.mostSlack)
    }
    let age = line.age
    if age == 0 {
      line.begin(periods, slack: isJittery ? FrameTuning.mostSlack : FrameTuning.leastSlack)
    } else if !line.add(steps: steps, frames: frames) {
      replaceLine(age)
    }
    watchEdge()
    if line.age >= trusted { middle = line.middle }
  }

  /// Follows the successor of a line that broke; where none gets old there are no such frames.
  private mutating func replaceLine(_ age: Int) {
    judge(age)
    line = successor
    guard age < FrameTuning.young else { return }
    grid.refute(at: grid.anchor)
    if !grid.isKnown { restart() }
  }

  /// Forgets a line that stays along the edge of its frames.
  ///
  /// It goes through whatever is seen to both sides of it, so that ticks never break it: a master
  /// whose jitter reaches over an edge for some time would be believed to stay there.
  private mutating func watchEdge() {
    touches = max(0, touches + (line.isAlongEdge ? 2 : -1))
    guard touches > FrameTuning.mostTouches else { return }
    touches = 0
    isJittery = true
    judge(line.age)
    restart()
  }

  /// Learns from the age at which a line broke how old one must be.
  private mutating func judge(_ age: Int) {
    if age >= 4 * FrameTuning.doubt * trusted {
      trusted = max(trusted / FrameTuning.doubt, FrameTuning.leastAge)
    } else if age >= trusted, age < FrameTuning.doubt * trusted {
      if isJittery { trusted = min(trusted * FrameTuning.doubt, FrameTuning.mostAge) }
      isJittery = true
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
