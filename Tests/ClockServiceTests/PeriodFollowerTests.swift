// SPDX-License-Identifier: Apache-2.0
import ClockTraces
import MusicalTime
import Testing

/// The pace of a device from the wake-up times of a program: 80 ppm fast, for a minute.
@Suite struct PeriodFollowerTests {
  private let follower: PeriodFollower

  init() throws {
    follower = PeriodFollower(nominalRate: try #require(SampleRate(hertz: 48_000)))
  }

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// The bounds are those of a loop that narrows from 2 Hz to 0.02 Hz, plus a tenth.
  @Test(
    arguments: [(.interrupt, 0.33, 0.09), (.wakeUp, 5, 0.4), (.usbFrame, 23, 2.5)]
      as [(PeriodTrace.Source, Double, Double)])
  func `after 20 s time and rate are as accurate as the source allows`(
    source: PeriodTrace.Source, microseconds: Double, parts: Double
  ) {
    let trace = PeriodTrace(source, seed: 1)
    var follower = follower
    var (squares, drifts, sum, count) = (0.0, 0.0, 0.0, 0.0)
    for (index, arrival) in trace.arrivals.enumerated() {
      follower.update(frames: Int64(index) * 256, at: Self.host(arrival))
      guard index > 3750, let timeline = follower.timeline else { continue }
      let seen = timeline.timeRoundedUp(atCount: Int64(index) * 256)
      let error = Double(seen.nanoseconds) / 1e3 - (trace.times[index] + trace.delay) * 1e6
      let length = trace.times[index + 1] - trace.times[index]
      let drift = (PeriodTrace.nominal / length - 1) * 1e6
      squares += error * error
      sum += error
      drifts += (follower.drift - drift) * (follower.drift - drift)
      count += 1
    }
    let mean = sum / count
    #expect((squares / count - mean * mean).squareRoot() <= microseconds)
    #expect((drifts / count).squareRoot() <= parts)
    #expect(follower.isSettled)
    #expect(follower.epoch == 1)
  }

  /// The line is usable for a second from then on, not only once.
  @Test func `positions on frames of a bus are usable a tenth of a second after the start`() {
    for seed in 0..<8 {
      let trace = PeriodTrace(.usbFrame, seed: seed)
      var follower = follower
      for (index, arrival) in trace.arrivals.prefix(210).enumerated() {
        follower.update(frames: Int64(index) * 256, at: Self.host(arrival))
        guard index >= 19, let timeline = follower.timeline else { continue }
        let seen = timeline.timeRoundedUp(atCount: Int64(index) * 256)
        let error = Double(seen.nanoseconds) / 1e3 - (trace.times[index] + trace.delay) * 1e6
        #expect(abs(error) < 100, "seed \(seed), pair \(index)")
      }
    }
  }

  @Test func `an xrun begins a new epoch with the rate known before`() throws {
    let trace = PeriodTrace(.interrupt, seed: 2)
    var follower = follower
    for (index, arrival) in trace.arrivals.prefix(6000).enumerated() {
      follower.update(frames: Int64(index) * 256, at: Self.host(arrival))
    }
    let drift = follower.drift
    follower.reset()
    #expect(follower.timeline == nil)
    #expect(!follower.isSettled)
    let frame: Int64 = 6000 * 256
    follower.update(frames: frame, at: Self.host(100))
    #expect(follower.drift == drift)
    #expect(follower.epoch == 2)
    #expect(try #require(follower.timeline).timeRoundedUp(atCount: frame) == Self.host(100))
  }

  /// A device that counts in steps of a kernel tick of 4 ms, 200 ppm slow.
  private func followed(_ periodFrames: Int64, for seconds: Double, lateAt late: Double? = nil)
    -> Double
  {
    var follower = follower
    let framesInTick = 192.0 * (1 - 200e-6)
    var (tick, next) = (0.0, 0.0)
    var isLate = false
    while tick * 0.004 < seconds {
      tick += 1
      let frames = (tick * framesInTick).rounded(.down)
      guard frames >= next else { continue }
      next = frames + Double(periodFrames)
      var time = tick * 0.004
      if let late, !isLate, time >= late { (isLate, time) = (true, time + 0.0029) }
      follower.update(frames: Int64(frames), at: Self.host(time))
    }
    let frame = Int64(tick * framesInTick)
    let seen = follower.timeline?.timeRoundedUp(atCount: frame).nanoseconds ?? 0
    return Double(seen) / 1e9 * 48_000 - Double(frame) / framesInTick * 192
  }

  @Test(arguments: [64, 256, 1024] as [Int64])
  func `a device that counts in steps is exact to the sample after 2 s, at any period`(
    periodFrames: Int64
  ) {
    let error = followed(periodFrames, for: 2)
    // The reported position is up to a frame before the actual one.
    #expect((0..<1).contains(error), "\(error) frames")
  }

  @Test(arguments: [64, 256, 1024] as [Int64])
  func `a single late wake-up moves the line by less than half a frame`(periodFrames: Int64) {
    let error = followed(periodFrames, for: 3.05, lateAt: 3) - followed(periodFrames, for: 3.05)
    #expect(abs(error) < 0.5, "\(error) frames")
  }

  /// Delays of the first pairs in microseconds, as in a program that is still loading.
  @Test(
    arguments: [[1099], [7, 746], [95, 973], [450, 1080, 300]] as [[Double]], [64, 256, 1024])
  func `pairs that are late at the start leave a tenth of a frame after a quarter of a second`(
    late: [Double], periodFrames: Int
  ) {
    var follower = follower
    let period = Double(periodFrames) / 48_000
    let count = Int(0.25 / period)
    for index in 0..<count {
      let lateness = late.indices.contains(index) ? late[index] * 1e-6 : 0
      follower.update(
        frames: Int64(index * periodFrames), at: Self.host(Double(index) * period + lateness))
    }
    let last = count - 1
    let seen = follower.timeline?.timeRoundedUp(atCount: Int64(last * periodFrames)).nanoseconds
    let error = Double(seen ?? 0) / 1e9 * 48_000 - Double(last * periodFrames)
    #expect(abs(error) < 0.1, "\(error) frames")
    #expect(follower.epoch == 1)
  }
}
