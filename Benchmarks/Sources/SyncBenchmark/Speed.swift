// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces

/// What an update costs.
enum Speed {
  static func lines() -> [String] {
    let arrivals = (0..<24).map { ClockTrace("g1.0", seed: $0).arrivals }
    let steps = ClockTrace("walk_g0.5", seed: 0).arrivals
    return [
      "ns per clock, 1 ms jitter: ours \(perClock(arrivals) { Ours(published: true) }), "
        + "Ardour loop \(perClock(arrivals) { ArdourLoop() })",
      "ns per clock, wandering master: ours \(perClock([steps]) { Ours(published: true) })",
    ]
  }

  /// The median over runs of the mean over a trace, in whole nanoseconds.
  private static func perClock(
    _ traces: [[Double]], _ make: () -> some TracedFollower
  ) -> Int {
    let clock = ContinuousClock()
    let means = (0..<5).flatMap { _ in
      traces.map { arrivals in
        var follower = make()
        let start = clock.now
        for arrival in arrivals { follower.tick(at: arrival) }
        return (clock.now - start) / .nanoseconds(1) / Double(arrivals.count)
      }
    }
    return Int(means.quantile(0.5))
  }
}
