// SPDX-License-Identifier: Apache-2.0

extension Sound {
  /// Seconds after which all that sounds in the loop repeats.
  var period: Double { Double(max(1, loopLength)) / rate }

  /// The frames at which movements are computed: every block, the loop's start and its end.
  var joints: [Int] { Array(stride(from: 0, to: wave.count, by: Self.block)) + [wave.count] }

  /// Adds a sine that moves in level and phase while the loop lasts, one factor for each of `joints`.
  ///
  /// What moves must repeat with the loop: the factor at the wave's end is that at the loop's start.
  mutating func add(_ frequency: Double, phase: Double, moving factors: [Turned]) {
    let frequency = fitting(frequency)
    guard frequency < 0.46 * rate else { return }
    let turns = frequency / rate
    let (c, s) = (PortableMath.cosine(turns: turns), PortableMath.sine(turns: turns))
    var (x, y) = (PortableMath.cosine(turns: phase), PortableMath.sine(turns: phase))
    for index in 0..<factors.count - 1 {
      let start = index * Self.block, end = min(start + Self.block, wave.count)
      var (a, b) = (factors[index].x, factors[index].y)
      let length = Double(end - start)
      let (stepA, stepB) = (
        (factors[index + 1].x - a) / length, (factors[index + 1].y - b) / length
      )
      for frame in start..<end {
        wave[frame] += a * y + b * x
        (x, y) = (x * c - y * s, x * s + y * c)
        (a, b) = (a + stepA, b + stepB)
      }
    }
  }

  /// The value of a function of seconds at each of `joints`.
  func atJoints<Value>(_ value: (Double) -> Value) -> [Value] {
    joints.map { value(Double($0) / rate) }
  }
}
