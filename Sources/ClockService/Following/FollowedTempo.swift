// SPDX-License-Identifier: Apache-2.0

/// The measured tempo of an external clock, with its uncertainty and a steady number for display.
public struct FollowedTempo: BitwiseCopyable, Sendable {
  /// The measured tempo in quarter notes per minute, not rounded.
  public let beatsPerMinute: Double
  /// The standard deviation of the measurement, in quarter notes per minute.
  public let deviation: Double
  /// A steady number for display, in hundredths of a quarter note per minute.
  ///
  /// It does not change with small fluctuations of the measurement.
  public let shownHundredths: Int
}

/// Chooses a steady number for a measured tempo.
///
/// It uses the coarsest of the grids 1, 0.5, 0.1, 0.05 and 0.01 with a point within two standard
/// deviations. The number only changes when the measurement is more than half a grid and three
/// standard deviations away.
struct TempoDisplay: BitwiseCopyable, Sendable {
  private(set) var hundredths = 0
  private var grid = 1.0

  /// The points of each grid between two whole numbers.
  private static let grids: InlineArray<5, Double> = [1, 2, 10, 20, 100]

  /// Adds a measurement.
  ///
  /// `isNew` shows it at once, after an accepted change of tempo.
  mutating func update(_ tempo: Double, deviation: Double, isNew: Bool) {
    let shown = Double(hundredths) / 100
    let (value, grid) = Self.coarsest(tempo, within: 2 * deviation)
    let isFiner = grid < self.grid && abs(tempo - shown) > 2 * deviation
    guard isNew || isFiner || abs(tempo - shown) > max(grid / 2, 3 * deviation) else { return }
    self.grid = grid
    hundredths = Int((min(value, 1e6) * 100).rounded())
  }

  private static func coarsest(_ tempo: Double, within distance: Double) -> (Double, Double) {
    var value = 0.0
    for index in grids.indices {
      let points = grids[index]
      // The tempo is limited to the range of Int64; this rounds to the nearest without a call.
      value = Double(Int64(min(tempo, 1e12) * points + 0.5))
      if abs(value - tempo * points) <= distance * points { return (value / points, 1 / points) }
    }
    let finest = grids[grids.count - 1]
    return (value / finest, 1 / finest)
  }
}
