// SPDX-License-Identifier: Apache-2.0

extension Sound {
  /// Adds a sine whose frequency moves; both closures take seconds.
  mutating func addGlide(
    frequency: (Double) -> Double, envelope: (Double) -> Double
  ) {
    var turns = 0.0
    for index in wave.indices {
      let t = Double(index) / rate
      wave[index] += envelope(t) * PortableMath.sine(turns: turns)
      turns += frequency(t) / rate
      turns -= turns.rounded(.down)
    }
  }

  /// Adds the modes of a plate: many, without order, thicker towards the top.
  mutating func addPlate(
    _ random: inout RandomSource, modes: Int, from low: Double, to high: Double,
    envelope: (_ frequency: Double, _ time: Double) -> Double
  ) {
    for _ in 0..<modes {
      let position = random.uniform()
      let f = low + (high - low) * PortableMath.power(position, 1.15)
      let (level, phase) = (0.4 + random.uniform(), random.uniform())
      add(f, phase: phase) { t in level * envelope(f, t) }
    }
  }
}
