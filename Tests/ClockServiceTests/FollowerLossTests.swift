// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Losses and doubles that single intervals do not prove: rough lines, and lines that lose many.
///
/// The traces are new in every run; a failure names the seed.
@Suite struct FollowerLossTests {
  private static let clock = Message(status: 0xF8)

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  private static func started() -> MIDIClockFollower {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    return follower
  }

  /// How far the count of a steady master's clocks is off in the end, if each arrives so many times.
  private static func slip(
    jitter: Double, seed: UInt64, _ copies: (Int, inout SplitMix) -> Int
  ) -> Int64 {
    var generator = SplitMix(seed: seed)
    let tempo = Double.random(in: 100...140, using: &generator)
    let trace = ClockTrace(
      .even(tempo: tempo, ppm: 0), over: .jitter(jitter), quarters: 40, seed: seed)
    var follower = started()
    for (index, arrival) in trace.arrivals.enumerated() {
      for copy in 0..<copies(index, &generator) {
        _ = follower.take(clock, at: host(arrival + Double(copy) * 0.7e-3))
      }
    }
    return follower.position.count - Int64(trace.count - 1)
  }

  /// Runs of which at most one in five may slip: 1 to 5 % do.
  private static func expectFewSlips(jitter: Double, _ copies: (Int, inout SplitMix) -> Int) {
    let runs = FollowerRobustnessTests.isLong ? 400 : 20
    let seed = UInt64.random(in: 1...1_000_000)
    let slips = (0..<runs).count {
      slip(jitter: jitter, seed: seed &+ UInt64($0), copies) != 0
    }
    #expect(slips <= runs / 5, "\(slips) of \(runs), seed \(seed)")
  }

  @Test(arguments: 1...4)
  func `clocks lost at 3 ms of jitter are counted`(lost: Int) {
    Self.expectFewSlips(jitter: 3) { index, _ in (500..<(500 + lost)).contains(index) ? 0 : 1 }
  }

  @Test func `a tenth of the clocks may be lost`() {
    Self.expectFewSlips(jitter: 1) { index, generator in
      let isLost = (48..<900).contains(index) && Double.random(in: 0..<1, using: &generator) < 0.1
      return isLost ? 0 : 1
    }
  }

  @Test func `half the tempo is found on a line that loses a tenth of the clocks`() {
    var generator = SplitMix(seed: .random(in: 1...1_000_000))
    var follower = Self.started()
    var time = 0.25
    for index in 0..<560 {
      let isLost = (48..<480).contains(index) && Double.random(in: 0..<1, using: &generator) < 0.1
      if !isLost { _ = follower.take(Self.clock, at: Self.host(time)) }
      time += index < 500 ? 1.0 / 48 : 1.0 / 24
    }
    #expect(abs((follower.tempo?.beatsPerMinute ?? 0) - 60) < 0.1)
  }

  @Test func `a loss at 3 ms of jitter is uncertain until it is proven`() {
    let seed = UInt64.random(in: 1...1_000_000)
    var uncertain = 0
    for run in seed..<(seed + 20) {
      let trace = ClockTrace(
        .even(tempo: 120, ppm: 0), over: .jitter(3), quarters: 40, seed: run)
      var follower = Self.started()
      var wasUncertain = false
      for (index, arrival) in trace.arrivals.enumerated() where index != 500 {
        _ = follower.take(Self.clock, at: Self.host(arrival))
        if (501..<505).contains(index) { wasUncertain = wasUncertain || follower.isUncertain }
      }
      uncertain += wasUncertain ? 1 : 0
    }
    #expect(uncertain >= 10, "seed \(seed)")
  }
}
