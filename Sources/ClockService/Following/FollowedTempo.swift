// SPDX-License-Identifier: Apache-2.0

/// The tempo of an external clock: as measured, how sure, and as shown to people.
public struct FollowedTempo: BitwiseCopyable, Sendable {
  /// Quarter notes per minute, never rounded.
  public let beatsPerMinute: Double
  /// How uncertain it is: a standard deviation.
  public let deviation: Double
  /// A number that stands still while the measured one trembles, in hundredths of a quarter note
  /// per minute.
  public let shownHundredths: Int
}

/// Picks a steady number out of a measured tempo.
///
/// The coarsest of the grids 1, 0.5, 0.1, 0.05 and 0.01 that has a point within two s.d.; it
/// changes only where the measurement has left it by more than half a grid and three s.d.
struct TempoDisplay: BitwiseCopyable, Sendable {
  private(set) var hundredths = 0
  private var grid = 1.0

  /// The points of each grid between two whole numbers.
  private static let grids: InlineArray<5, Double> = [1, 2, 10, 20, 100]

  /// Takes a measurement; `isNew` after an accepted change of tempo, which is shown at once.
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
      // Of what is followed, and a rounding that is no call.
      value = Double(Int64(min(tempo, 1e12) * points + 0.5))
      if abs(value - tempo * points) <= distance * points { return (value / points, 1 / points) }
    }
    let finest = grids[grids.count - 1]
    return (value / finest, 1 / finest)
  }
}
