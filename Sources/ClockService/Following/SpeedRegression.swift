// SPDX-License-Identifier: Apache-2.0

/// A straight line through all ticks since a start: the mean speed with its uncertainty.
///
/// A follower forgets old ticks; distinguishing two rates 0.1 % apart needs all of them.
struct SpeedRegression: BitwiseCopyable, Sendable {
  /// The least assumed jitter, in nanoseconds: the first ticks of a machine that starts are all on
  /// one side of the line.
  private static let leastJitter = 0.3e6

  private var first: (time: Int64, count: Int64) = (0, 0)
  private var n = 0.0
  private var x = 0.0
  private var y = 0.0
  private var xx = 0.0
  private var xy = 0.0
  private var yy = 0.0
  private var strays = 0

  /// The difference from the nominal period, as a fraction of it, with its standard deviation;
  /// positive if slower, and nil before there is a line.
  private(set) var slowness: (value: Double, deviation: Double)?

  /// Adds a tick.
  ///
  /// Eight consecutive ticks far from the line show that the speed has changed, and restart it.
  mutating func add(_ time: Int64, count: Int64, nominal: Double, jitter: Double) {
    if n == 0 { first = (time, count) }
    // Distances from the nominal line are summed: small numbers, so that precision is preserved.
    let ticks = Double(count - first.count)
    let distance = Double(time - first.time) - ticks * nominal
    if let slowness {
      let middle = (y - slowness.value * nominal * x) / n
      let stray = abs(distance - middle - slowness.value * nominal * ticks) > 5 * jitter
      strays = stray ? strays + 1 : 0
      if strays >= 8 { return self = SpeedRegression() }
    }
    n += 1
    x += ticks
    y += distance
    xx += ticks * ticks
    xy += ticks * distance
    yy += distance * distance
    let spread = xx - x * x / n
    guard n >= 16, spread > 0 else { return }
    let slope = (xy - x * y / n) / spread
    let rest = max(0, yy - y * y / n - slope * slope * spread) / (n - 2)
    let scatter = max(rest.squareRoot(), Self.leastJitter)
    slowness = (slope / nominal, scatter / spread.squareRoot() / nominal)
  }
}
