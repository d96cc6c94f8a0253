// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import Testing

/// The accuracy of the published position while the tempo moves.
///
/// The bounds of random traces are at least a third above the worst of 10,000 seeds.
@Suite struct FollowerMotionTests {
  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  /// The RMS of the published position's error before each clock from a given one on, in ms.
  private static func error(_ trace: ClockTrace, from first: Int = 96) -> Double {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    var (sum, count, next) = (0.0, 0.0, 0)
    for index in 0..<trace.count {
      let now = trace.times[index] + 0.9 * trace.period(index)
      while next < trace.arrivals.count, trace.arrivals[next] <= now {
        _ = follower.take(Message(status: 0xF8), at: host(trace.arrivals[next]))
        next += 1
      }
      guard index >= first, let line = follower.timeline(at: host(now)) else { continue }
      let miss = (line.position(at: host(now)) - Double(index) - 0.9) * trace.period(index) * 1e3
      sum += miss * miss
      count += 1
    }
    return (sum / count).squareRoot()
  }

  @Test func `rubato is followed on a quiet line`() {
    let seed = UInt64.random(in: 1...1_000_000)
    let trace = ClockTrace(
      .swing(tempo: 120, part: 0.07, quarters: 4), over: .jitter(0.1), seed: seed)
    // 1.7 ms if every swing must first be distinguished from a varying delay.
    #expect(Self.error(trace) < 0.5, "seed \(seed)")
  }

  @Test func `a tempo a quarter slower is followed from its second clock on`() {
    let seed = UInt64.random(in: 1...1_000_000)
    let trace = ClockTrace(.step(from: 120, to: 90), over: .jitter(0.1), seed: seed)
    // 1.15 ms if three intervals are needed. All 60 quarter notes after the step count.
    #expect(Self.error(trace, from: 960) < 0.7, "seed \(seed)")
  }

  @Test func `a step by a fifth of the tempo moves the position at once`() {
    let seed = UInt64.random(in: 1...1_000_000)
    let trace = ClockTrace(.step(from: 120, to: 24), over: .jitter(0.1), seed: seed)
    // Twice as much if the position is slowed down until the master has caught up.
    #expect(Self.error(trace, from: 960) < 30, "seed \(seed)")
  }

  @Test func `made-up players are followed on a quiet line`() {
    let errors = (1...21).map { seed in
      let beats = ClockTrace.playedBeats(60, seed: UInt64(seed))
      return Self.error(ClockTrace(beats: beats, over: .jitter(0.1), seed: UInt64(seed)))
    }
    // 1.4 ms if every swing must first be distinguished from a varying delay.
    #expect(errors.sorted()[10] < 0.4)
  }
}
