// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockService
import ClockTraces
import MusicalTime

/// Downbeat's follower of audio periods, in periods.
struct OurPeriods: TracedFollower {
  private var follower: PeriodFollower
  private var count: Int64 = 0

  init(_ rate: SampleRate) { follower = PeriodFollower(nominalRate: rate) }

  var period: Double { PeriodTrace.nominal / (1 + follower.drift * 1e-6) }

  mutating func tick(at time: Double) {
    count += 256
    follower.update(frames: count, at: Ours.hostTime(time))
  }

  mutating func position(at time: Double) -> Double? {
    follower.timeline.map { $0.position(at: Ours.hostTime(time)) / 256 - 1 }
  }
}

/// One follower of audio periods on many realisations of one source.
struct PeriodFigures {
  /// After 20 s: the RMS time error in µs, and the RMS rate error in ppm.
  private(set) var time = 0.0
  private(set) var rate = 0.0
  /// Seconds until the time is within 100 µs for a second; the median.
  private(set) var usable = 0.0

  init(
    _ source: PeriodTrace.Source, seeds: Range<Int>, _ make: () -> some TracedFollower
  ) {
    let settled = Int(20 / PeriodTrace.nominal)
    var (squares, rates, waits): ([Double], [Double], [Double]) = ([], [], [])
    for seed in seeds {
      let trace = PeriodTrace(source, seed: seed)
      var follower = make()
      var errors: [Double] = []
      for (index, arrival) in trace.arrivals.enumerated() {
        follower.tick(at: arrival)
        let period = trace.times[index + 1] - trace.times[index]
        let due = max(trace.times[index] + period / 2 + trace.delay, arrival)
        let truth = Double(index) + (due - trace.delay - trace.times[index]) / period
        errors.append(
          (follower.position(at: due) ?? .nan) * PeriodTrace.nominal * 1e6
            - truth * PeriodTrace.nominal * 1e6)
        if index >= settled { rates.append((follower.period / period - 1) * 1e6) }
      }
      let bias = errors[settled...].mean
      squares += errors[settled...].map { $0 - bias }
      let second = Int(1 / PeriodTrace.nominal)
      var run = 0
      let usable = errors.firstIndex { error in
        run = abs(error - bias) < 100 ? run + 1 : 0
        return run == second
      }
      waits.append(usable.map { Double($0 + 1 - second) * PeriodTrace.nominal } ?? .infinity)
    }
    time = squares.rootMeanSquare
    rate = rates.rootMeanSquare
    usable = waits.quantile(0.5)
  }
}
