// SPDX-License-Identifier: Apache-2.0

/// Lines through the ticks of a master with a varying tempo: six filters with memories of different
/// lengths.
///
/// Each filter extrapolates the last ticks from time, period and change of the period with fixed
/// gains (a fading-memory filter). The one with the best recent predictions is used. A player
/// changes tempo by 1 % from one clock to the next, which a filter for steady ticks takes for
/// jitter and follows too late.
///
/// Source: N. Morrison, Introduction to Sequential Smoothing and Prediction, 1969.
struct MovingTicks: BitwiseCopyable, Sendable {
  /// A filter: the last tick's distance from its arrival, the period and its change, in nanoseconds.
  struct Line: BitwiseCopyable {
    var offset = 0.0
    var period = 0.0
    var drift = 0.0
    /// The mean square of the last ticks' distances from their predictions.
    var error = 0.0
  }

  private static let count = 6
  /// The fraction of a tick's weight that remains at the next tick; the last is a memory of 60
  /// ticks.
  private static let memories: InlineArray<6, Double> = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95]

  private var lines = InlineArray<6, Line>(repeating: Line())
  private var best = 0
  /// The error of the filter for steady ticks, measured in the same way.
  private(set) var steadyError = 0.0
  /// The mean square of the distances between the two predictions.
  private var distance = 0.0
  /// True if the tempo varies: these lines predict better than the filter for steady ticks.
  private(set) var isMoving = false
  private var age = 0

  /// The line that predicts best.
  var line: Line {
    @inline(__always)
    get { lines[best] }
  }

  /// Begins at a tick that arrived in time.
  mutating func restart(period: Double) {
    let error = MovingTuning.errorAtStart
    lines = InlineArray(repeating: Line(offset: 0, period: period, drift: 0, error: error))
    (best, steadyError, distance, isMoving, age) = (0, error, 0, false, 0)
  }

  /// Adds an arrival.
  ///
  /// - Parameters:
  ///   - steps: Ticks since the last arrival.
  ///   - elapsed: Nanoseconds since the last arrival.
  ///   - miss: The prediction error of the filter for steady ticks, in nanoseconds.
  ///   - shortest: The shortest possible period.
  ///   - isKnownToMove: True if the tempo changed in the last 384 ticks; motion is then accepted on
  ///     a quiet line too.
  @inline(__always)
  mutating func add(
    steps: Int, elapsed: Double, miss: Double, shortest: Double, isKnownToMove: Bool
  ) {
    let most = MovingTuning.mostMiss * lines[best].error.squareRoot()
    age = min(age + 1, 1 << 20)
    learn(&steadyError, miss, most)
    for index in 0..<Self.count { predict(&lines[index], steps) }
    learn(&distance, miss - (elapsed - lines[best].offset), MovingTuning.mostDistance)
    var better = best
    for index in 0..<Self.count {
      update(&lines[index], elapsed, most, memory: Self.memories[index], shortest)
    }
    let bound = MovingTuning.better * lines[best].error
    for index in 0..<Self.count where lines[index].error < min(bound, lines[better].error) {
      better = index
    }
    best = better
    reseed()
    let part = isMoving ? MovingTuning.steadyAgain : MovingTuning.moving
    let least = isMoving ? MovingTuning.leastToStay : MovingTuning.leastDistance
    isMoving =
      age > MovingTuning.leastAge && lines[best].error < part * steadyError
      && (isKnownToMove || lines[best].error > MovingTuning.quiet || distance > least)
  }

  /// Assumes that the filter for steady ticks has learnt a new tempo, and predicts as well as
  /// these.
  mutating func trustSteady() {
    steadyError = min(steadyError, lines[best].error)
    isMoving = false
  }

  @inline(__always)
  private func predict(_ line: inout Line, _ steps: Int) {
    let steps = Double(steps)
    line.offset += steps * (line.period + 0.5 * steps * line.drift)
    line.period += steps * line.drift
  }

  @inline(__always)
  private func update(
    _ line: inout Line, _ elapsed: Double, _ most: Double, memory: Double, _ shortest: Double
  ) {
    let miss = elapsed - line.offset
    learn(&line.error, miss, most)
    let fresh = 1 - memory
    line.offset += (1 - memory * memory * memory) * miss - elapsed
    line.period = max(line.period + 1.5 * fresh * fresh * (1 + memory) * miss, shortest)
    line.drift += fresh * fresh * fresh * miss
    let steepest = MovingTuning.steepest * line.period
    line.drift = min(max(line.drift, -steepest), steepest)
  }

  @inline(__always)
  private func learn(_ error: inout Double, _ miss: Double, _ most: Double) {
    let miss = min(abs(miss), most)
    error += MovingTuning.learning * (miss * miss - error)
  }

  /// Restarts lines that are far worse than the best from the state of that line.
  @inline(__always)
  private mutating func reseed() {
    let good = lines[best]
    for index in 0..<Self.count where lines[index].error > MovingTuning.hopeless * good.error {
      lines[index] = good
      lines[index].error = MovingTuning.reseeded * good.error
    }
  }
}

/// The constants of `MovingTicks`; errors are squares, in nanoseconds.
enum MovingTuning {
  static let errorAtStart = 0.5e12
  static let leastAge = 24
  /// The weight of a new tick in a line's error: 40 ticks are remembered.
  static let learning = 0.05
  /// The limit of one tick's error, in units of the best line's error; late bytes are not evidence.
  static let mostMiss = 4.0
  /// A line replaces the best if its error is less than this fraction of the best one's.
  static let better = 0.9
  /// The tempo varies if the best line's error is below this fraction of the steady filter's error,
  /// until it is above the second fraction.
  static let moving = 0.6
  static let steadyAgain = 0.95
  /// On a line quieter than this, 0.45 ms, a delay that varies by 1 ms looks like a varying tempo.
  ///
  /// The tempo is taken as varying from a distance of 1.5 ms, until the distance is below 1 ms.
  static let quiet = 0.2e12
  static let leastDistance = 2.25e12
  static let leastToStay = 1e12
  /// The limit of one tick in the distance, in nanoseconds.
  static let mostDistance = 1e7
  /// A line whose error is this many times that of the best takes over its state.
  static let hopeless = 16.0
  static let reseeded = 4.0
  /// The largest change of the period from one tick to the next, as a fraction of it.
  static let steepest = 0.25
}
