// SPDX-License-Identifier: Apache-2.0

/// The spread of the period in the last 128 ticks: several percent for a player, less for a machine.
struct TempoScatter: BitwiseCopyable, Sendable {
  private var age = 0.0
  private var mean = 0.0
  /// The mean square of the distances of the period from its mean, as parts of it.
  private var square = 0.0

  /// True if the period varies by less than 2.5 %; false before it is known.
  var isSteady: Bool { age >= CountTuning.scatterLeast && square < CountTuning.scatterMost }

  /// Takes the period after a tick.
  @inline(__always)
  mutating func add(_ period: Double) {
    age = min(age + 1, CountTuning.scatterMemory)
    mean += (period - mean) / age
    let part = period / mean - 1
    square += (part * part - square) / age
  }
}
