// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

/// Advances the parameters that are in a ramp, one step of a grid at a time.
///
/// The grid is fixed in the sequence, so the steps do not depend on windows or on the start of
/// playback. A step is 1/24 of a quarter note or, if ticks are parts of frames, 1/24 of half a
/// second.
struct AutomationRun: Sendable {
  private var ramps: ContiguousArray<AutomationRamp> = []
  private let ticksPerStep: Ratio
  /// The next point of the grid.
  private var next = Tick.zero

  private static let steps: Int64 = 24

  init(_ division: Division) {
    ticksPerStep =
      switch division {
      case .ppqn(let resolution): Ratio(Int64(resolution.ticks), over: Self.steps)
      case .smpte(let rate, let ticks):
        Ratio(rate.fpsNumerator * Int64(ticks), over: 2 * Self.steps * rate.fpsDenominator)
      }
    ramps.reserveCapacity(64)
  }

  /// The tick of the next steps; nil if no parameter is in a ramp.
  var nextTick: Tick? { ramps.isEmpty ? nil : next }

  /// Begins a ramp at its start.
  ///
  /// - Returns: The end of its first step.
  mutating func begin(_ ramp: AutomationRamp) -> Tick {
    next = gridTick(after: ramp.start)
    guard next < ramp.end else { return ramp.end }
    ramps.append(ramp)
    return next
  }

  /// Replaces the ramps by those in progress at a tick.
  ///
  /// Each continues at the next tick of the grid.
  mutating func resume(_ all: AutomationRamps, at tick: Tick) {
    ramps.removeAll(keepingCapacity: true)
    next = gridTick(after: Tick(tick.value - 1))
    all.forEach(at: tick) { if $0.end > next { ramps.append($0) } }
  }

  /// Calls a closure for each due step, with the ramp and the end of the step.
  mutating func step(_ body: (AutomationRamp, Tick) -> Void) {
    let following = gridTick(after: next)
    for ramp in ramps { body(ramp, min(following, ramp.end)) }
    ramps.removeAll { $0.end <= following }
    next = following
  }

  private func gridTick(after tick: Tick) -> Tick {
    let (ticks, steps) = (Int128(ticksPerStep.numerator), Int128(ticksPerStep.denominator))
    let count = (Int128(tick.value) * steps).quotient(flooredBy: ticks) + 1
    return Tick(Int64(-(-count * ticks).quotient(flooredBy: steps)))
  }
}

extension Int128 {
  fileprivate func quotient(flooredBy divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
