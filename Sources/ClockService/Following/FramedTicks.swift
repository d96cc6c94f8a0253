// SPDX-License-Identifier: Apache-2.0

/// The actual times of ticks that arrive over a bus or radio with frames.
///
/// It complements the filter. Without frames, or with uneven ticks, it does not give an estimate.
struct FramedTicks: BitwiseCopyable, Sendable {
  private var grid = FrameGrid()
  /// A line is used while all of its ticks are consistent with it.
  ///
  /// Its successor has more slack, and never covers more than `FrameTuning.span` ticks.
  private var line = DigitalLine()
  private var successor = DigitalLine()
  /// The number of ticks since the last one at the end of a frame.
  private var steps = 0
  private var middle = DigitalLine.Corner()
  /// The age from which a line is used.
  private var trusted = FrameTuning.leastAge
  /// True if the master has jitter.
  private var isJittery = false
  /// A measure of how often the line was along an edge recently.
  private var touches = 0

  /// Adds the arrival of a tick `steps` ticks after the last one; `period` is that of the filter.
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

  /// Replaces a line that broke by its successor.
  ///
  /// If lines stay young, frames of this length do not exist.
  private mutating func replaceLine(_ age: Int) {
    judge(age)
    line = successor
    guard age < FrameTuning.young else { return }
    grid.refute(at: grid.anchor)
    if !grid.isKnown { restart() }
  }

  /// Drops a line that stays along the edge of its frames.
  ///
  /// Such a line is consistent with ticks on both sides of the edge and never breaks. If the jitter
  /// of a master crossed an edge for some time, the line would stay there.
  private mutating func watchEdge() {
    touches = max(0, touches + (line.isAlongEdge ? 2 : -1))
    guard touches > FrameTuning.mostTouches else { return }
    touches = 0
    isJittery = true
    judge(line.age)
    restart()
  }

  /// Adapts the required age to the age at which a line broke.
  private mutating func judge(_ age: Int) {
    if age >= 4 * FrameTuning.doubt * trusted {
      trusted = max(trusted / FrameTuning.doubt, FrameTuning.leastAge)
    } else if age >= trusted, age < FrameTuning.doubt * trusted {
      if isJittery { trusted = min(trusted * FrameTuning.doubt, FrameTuning.mostAge) }
      isJittery = true
    }
  }

  /// Drops the ticks, and keeps the frames.
  mutating func restart() {
    line.forget()
    successor.forget()
    steps = 0
  }

  /// The last tick, as it would arrive with the mean delay, and the period, in nanoseconds; nil if
  /// the filter is more accurate.
  @inline(__always)
  var estimate: (anchor: Int64, offset: Double, period: Double)? {
    guard line.age >= trusted, grid.isKnown else { return nil }
    let place = middle.place + 0.5 + Double(steps) * middle.period
    return (grid.anchor, grid.offset + place * grid.length, middle.period * grid.length)
  }
}
