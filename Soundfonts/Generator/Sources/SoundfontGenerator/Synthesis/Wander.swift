// SPDX-License-Identifier: Apache-2.0

/// A random movement that repeats with a sound's loop: some slow sines, 1 strong together (root mean
/// square).
struct Wander {
  private let lines: [(turns: Double, level: Double, phase: Double)]

  /// A movement of as many hertz at the most; it repeats every `period` seconds.
  ///
  /// The slowest of its sines is one for each period, and slower ones are stronger.
  init(_ random: inout RandomSource, period: Double, upTo hertz: Double) {
    let count = max(2, Int(hertz * period))
    let found = (1...count).map { line in
      (
        turns: Double(line) / period,
        level: (0.4 + random.uniform()) / Double(line).squareRoot(), phase: random.uniform()
      )
    }
    let power = found.reduce(0) { $0 + $1.level * $1.level / 2 }
    lines = found.map { ($0.turns, $0.level / power.squareRoot(), $0.phase) }
  }

  /// The movement at a time in seconds.
  func at(_ time: Double) -> Double {
    lines.reduce(0) { sum, line in
      sum + line.level * PortableMath.sine(turns: line.turns * time + line.phase)
    }
  }
}

/// A factor on a sine that is also turned: its level and how far it is ahead.
struct Turned {
  var x: Double
  var y: Double

  /// So strong, and ahead by so many turns.
  init(_ level: Double, turns: Double) {
    (x, y) = (
      level * PortableMath.cosine(turns: turns), level * PortableMath.sine(turns: turns)
    )
  }
}
