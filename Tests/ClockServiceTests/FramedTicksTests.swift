// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import Testing

/// Clocks that arrive at the ends of a bus's frames, at tempi that beat slowly with these.
@Suite struct FramedTicksTests {
  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  /// From quarter note 16 on: the RMS phase error in ms, without its mean, and the largest tempo
  /// error.
  private static func errors(_ trace: ClockTrace) -> (phase: Double, tempo: Double) {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    var (phases, most) = ([Double](), 0.0)
    for (index, arrival) in trace.arrivals.enumerated() {
      _ = follower.take(Message(status: 0xF8), at: host(arrival))
      guard index > 384, let estimate = follower.estimate else { continue }
      let place = estimate.position(at: host(arrival)) - Double(index)
      let due = (arrival - trace.times[index]) / trace.period(index)
      phases.append((place - due) * trace.period(index) * 1e3)
      most = max(most, abs(2.5e9 / estimate.period - 2.5 / trace.period(index)))
    }
    let mean = phases.reduce(0, +) / Double(phases.count)
    let squares = phases.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    return ((squares / Double(phases.count)).squareRoot(), most)
  }

  @Test(arguments: [37.5, 51.5, 70.75, 92.75, 120, 123.25, 170.5, 205.5, 296])
  func `frames of 1 ms are detected at any tempo`(tempo: Double) {
    let seed = UInt64.random(in: 1...1_000_000)
    let trace = ClockTrace(.even(tempo: tempo, ppm: 37), over: .frames(1), seed: seed)
    let (phase, most) = Self.errors(trace)
    #expect(phase < 0.03 && most < 0.05, "\(phase) ms, \(most) BPM, seed \(seed)")
  }

  @Test(arguments: [7.5, 11.25, 15])
  func `the intervals of a radio link are detected`(interval: Double) {
    // One trace in ten gives little information on its frames: the median is used.
    let phases = (0..<9).map { _ in
      let seed = UInt64.random(in: 1...1_000_000)
      return Self.errors(
        ClockTrace(.even(tempo: 97.25, ppm: 37), over: .frames(interval), seed: seed)
      ).phase
    }.sorted()
    #expect(phases[4] < 0.2, "\(phases) ms")
  }

  @Test func `a clock of nearly 15 ms on a bus does not count as a radio link`() {
    // The start in its frame determines when it is known: this one leaves it at once.
    let trace = ClockTrace(.even(tempo: 166.75, ppm: 200), over: .frames(1), seed: 667)
    let (phase, _) = Self.errors(trace)
    #expect(phase < 0.03, "\(phase) ms")
  }

  /// A clock that slowly crosses the edge of its frame arrives before or after it, and a line along
  /// the edge would explain all arrivals for ever.
  @Test(arguments: [(0.1, 0.27), (0.3, 0.1)])
  func `a master that jitters across an edge is not bound to it`(jitter: Double, most: Double) {
    let traces = (70..<78).map { seed in
      ClockTrace(
        .even(tempo: 125, ppm: 37), over: .framesAfterJitter(1, jitter), seed: UInt64(seed))
    }
    let worst = traces.map { Self.errors($0).phase }.max() ?? .nan
    #expect(worst < most, "\(worst) ms")
  }

  @Test func `a master with its own jitter is left to the filter`() {
    let seed = UInt64.random(in: 1...1_000_000)
    for jitter in [0.03, 0.1, 0.3] {
      let line = ClockTrace.Line.framesAfterJitter(1, jitter)
      let (phase, _) = Self.errors(ClockTrace(.even(tempo: 97.25, ppm: 37), over: line, seed: seed))
      #expect(phase < 0.1, "\(jitter) ms: \(phase) ms, seed \(seed)")
    }
  }
}
