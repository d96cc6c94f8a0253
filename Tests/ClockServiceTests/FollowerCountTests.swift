// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import Testing

/// Without lost clocks, none is missed and none is added, however the tempo moves.
///
/// The traces are new in every run; a failure reports the seed.
@Suite struct FollowerCountTests {
  private static let clock = Message(status: 0xF8)

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  private static func started() -> MIDIClockFollower {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    return follower
  }

  /// The error of the count after a trace.
  private static func slip(_ motion: ClockTrace.Motion, jitter: Double, seed: UInt64) -> Int64 {
    let trace = ClockTrace(motion, over: .jitter(jitter), seed: seed)
    var follower = started()
    for arrival in trace.arrivals { _ = follower.take(clock, at: host(arrival)) }
    return follower.position.count - Int64(trace.count - 1)
  }

  private static func expectNoSlip(_ motion: ClockTrace.Motion, jitters: [Double] = [0.02, 0.5]) {
    let seed = UInt64.random(in: 1...1_000_000)
    for jitter in jitters {
      for run in seed..<(seed + (FollowerRobustnessTests.isLong ? 100 : 5)) {
        let slip = slip(motion, jitter: jitter, seed: run)
        #expect(slip == 0, "\(motion), \(jitter) ms, seed \(run)")
      }
    }
  }

  @Test(arguments: [1.0 / 6, 0.2, 1.0 / 3, 0.4, 0.5, 0.6, 2.0 / 3, 0.8, 1.25, 1.5, 2, 3, 5, 6])
  func `a tempo a sixth to six times as fast loses no clock`(part: Double) {
    Self.expectNoSlip(.step(from: 120, to: 120 * part))
  }

  @Test(arguments: [(60.0, 200.0, 16), (80, 160, 4), (200, 60, 16), (160, 80, 4)])
  func `a ramp loses no clock`(from: Double, to: Double, quarters: Int) {
    Self.expectNoSlip(.ramp(from: from, to: to, quarters: quarters))
  }

  @Test(arguments: [0.02, 0.07, 0.1, 0.15], [2.0, 4, 8, 16])
  func `rubato loses no clock`(part: Double, quarters: Double) {
    Self.expectNoSlip(.swing(tempo: 120, part: part, quarters: quarters))
  }

  @Test func `a new tempo every eight quarter notes loses no clock`() {
    Self.expectNoSlip(.steps(quarters: 8))
  }

  @Test(arguments: [0.02, 0.04, 0.06])
  func `a person's taps lose no clock`(part: Double) {
    Self.expectNoSlip(.taps(tempo: 100, part: part))
  }

  @Test(arguments: [SoakTrace.Parts.steps, .faults, [.steps, .faults]])
  func `steps and faults leave the count right`(parts: SoakTrace.Parts) {
    let seed = UInt64.random(in: 1...1_000_000)
    var follower = Self.started()
    var (wrong, count) = (0, 0)
    for arrival in SoakTrace(parts, jitter: 0.5, seed: seed) {
      _ = follower.take(Self.clock, at: Self.host(arrival.time))
      wrong = follower.position.count == arrival.index ? 0 : wrong + 1
      #expect(wrong < 24, "seed \(seed), at clock \(arrival.index)")
      count += 1
      guard count < (FollowerRobustnessTests.isLong ? 1_000_000 : 30_000), wrong < 24 else { break }
    }
    #expect(wrong < 24)
  }

  @Test func `a fermata loses no clock and is followed after its second long interval`() {
    let lengths =
      Array(repeating: 20.83, count: 200)
      + [38.5, 51.2, 72.7, 92.2, 109.8, 125.5, 139.2, 150.9, 160.7, 168.5, 174, 178]
      + Array(repeating: 180, count: 20)
    var follower = Self.started()
    var time = 0.25
    _ = follower.take(Self.clock, at: Self.host(time))
    for (index, length) in lengths.enumerated() {
      time += length * 1e-3
      _ = follower.take(Self.clock, at: Self.host(time))
      guard index > 201 else { continue }
      #expect(follower.position == MIDIClock(count: Int64(index + 1)))
      let published = follower.timeline(at: Self.host(time))?.position(at: Self.host(time)) ?? .nan
      #expect(abs(published - Double(index + 1)) < 2, "after \(index + 1) intervals")
    }
  }

  @Test(arguments: [
    [1.38, 1.25, 1.2, 1.17], [1.35, 1.2, 1.15, 1.1, 1.1, 1.1], [1.39, 1.25, 1.2, 1.1, 1.06],
  ])
  func `long intervals that add up to a clock do not add one`(long: [Double]) {
    let parts = Array(repeating: 1.0, count: 200) + long + Array(repeating: 1, count: 40)
    var follower = Self.started()
    var time = 0.25
    _ = follower.take(Self.clock, at: Self.host(time))
    for part in parts {
      time += part / 48
      _ = follower.take(Self.clock, at: Self.host(time))
    }
    #expect(follower.position == MIDIClock(count: Int64(parts.count)))
  }

  @Test(arguments: [25.0, 30, 45, 60, 100])
  func `a late first clock is counted`(milliseconds: Double) {
    var follower = Self.started()
    for index in 0..<480 {
      let due = Double(index) * 2.5 / 120
      _ = follower.take(Self.clock, at: Self.host(max(due, milliseconds * 1e-3)))
    }
    #expect(follower.position == MIDIClock(count: 479))
  }

  @Test func `a doubt is reported while it lasts, and a Start ends it`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(97)
    #expect(!wire.follower.isUncertain)
    // One clock is lost, or the tempo is half as fast.
    wire.now = wire.now.advanced(byNanoseconds: 20_833_333)
    wire.clocks(1)
    #expect(wire.follower.position == MIDIClock(count: 98))
    #expect(wire.follower.isUncertain)
    wire.clocks(8)
    #expect(wire.follower.position == MIDIClock(count: 106))
    #expect(!wire.follower.isUncertain)
    wire.now = wire.now.advanced(byNanoseconds: 20_833_333)
    wire.clocks(1)
    #expect(wire.follower.isUncertain)
    wire.send(0xFA)
    wire.clocks(1)
    #expect(!wire.follower.isUncertain)
  }
}
