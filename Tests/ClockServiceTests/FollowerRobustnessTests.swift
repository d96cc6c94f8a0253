// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import ClockService
import ClockTraces
import Foundation
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Faults of lines and masters, and the invariants of every update.
@Suite struct FollowerRobustnessTests {
  static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"
  private static let clock = Message(status: 0xF8)

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  private static func started() -> MIDIClockFollower {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    return follower
  }

  @Test(arguments: ["missing1pc", "doubled", "burst", "dropout"])
  func `no run with lost, doubled or bunched clocks slips`(name: String) {
    for seed in 1000..<(Self.isLong ? 1200 : 1050) {
      let trace = ClockTrace(name, seed: seed)
      var follower = Self.started()
      for arrival in trace.arrivals { _ = follower.take(Self.clock, at: Self.host(arrival)) }
      let end = Self.host(trace.times[trace.count])
      let position = follower.estimate?.position(at: end) ?? .nan
      #expect(abs(position - Double(trace.count)) < 0.5, "\(name), seed \(seed)")
    }
  }

  @Test func `random faults leave no slip two seconds after the last`() {
    var generator = SplitMix(seed: 99)
    func random(_ range: Range<Double>) -> Double { .random(in: range, using: &generator) }
    var follower = Self.started()
    let period = 2.5 / 120
    var (sent, arrival, faults) = (0, 0.0, 0)
    while sent < (Self.isLong ? 1_000_000 : 30_000) {
      // Four quarter notes with faults, then four without; then the count must be right.
      for index in 0..<192 {
        let late = (random(0..<1) + random(0..<1) + random(0..<1) - 1.5) * 1e-3
        let fault = sent > 48 && index < 96 ? random(0..<1) : 1
        sent += 1
        arrival = max(arrival, Double(sent) * period + late)
        if fault < 0.01 {
          faults += 1
          continue
        }
        if fault < 0.02 { arrival += random(0..<0.03) }
        _ = follower.take(Self.clock, at: Self.host(arrival))
        guard fault >= 0.02, fault < 0.025 else { continue }
        faults += 1
        arrival += random(0.0003..<0.0015)
        _ = follower.take(Self.clock, at: Self.host(arrival))
      }
      // The first clock is position 0, so the last one is one less than the number sent.
      #expect(follower.position == MIDIClock(count: Int64(sent) - 1))
      #expect(follower.transport == .running)
    }
    #expect(faults > sent / 300)
  }

  @Test(arguments: ClockTrace.names)
  func `the published position never jumps and never goes back`(name: String) {
    let trace = ClockTrace(name, seed: 1)
    var follower = Self.started()
    var last = -Double.infinity
    for arrival in trace.arrivals {
      let time = Self.host(arrival)
      let before = follower.timeline(at: time)?.position(at: time)
      _ = follower.take(Self.clock, at: time)
      guard let after = follower.timeline(at: time)?.position(at: time) else { continue }
      if let before { #expect(abs(after - before) < 1e-9, "at \(arrival) s") }
      #expect(after >= last, "at \(arrival) s")
      last = after
    }
    #expect(follower.epoch == 0)
  }

  @Test(arguments: ["g1.0", "step8_g1.0", "dropout", "stephalf_g0.5", "burst", "walk_g0.5"])
  func `a following source emits every tick once, in order, within the limit`(
    name: String
  ) throws {
    let trace = ClockTrace(name, seed: 2)
    let ppqn = try #require(PPQN(480))
    var follower = Self.started()
    var (released, now) = (Self.host(0), Self.host(0))
    var (owed, lastTime) = (Int64(0), Self.host(0))
    var next = 0
    while next < trace.arrivals.count {
      now = now.advanced(byNanoseconds: 5_000_000)
      while next < trace.arrivals.count, Self.host(trace.arrivals[next]) <= now {
        _ = follower.take(Self.clock, at: Self.host(trace.arrivals[next]))
        next += 1
      }
      _ = follower.advance(to: now)
      guard let limit = follower.releaseLimit(at: now), limit > released else { continue }
      follower.forEachPiece(of: released..<limit) { window, piece in
        #expect(window.lowerBound >= released)
        released = window.upperBound
        let ticks = piece.ticks(ppqn: ppqn)
        let end = ticks.firstCount(atOrAfter: window.upperBound)
        while owed < end {
          let time = max(ticks.timeRoundedUp(atCount: owed), window.lowerBound)
          #expect(time >= lastTime && time < window.upperBound)
          lastTime = time
          owed += 1
        }
      }
    }
    #expect(owed > Int64(trace.count - 2) * 20)
    #expect(owed <= Int64(trace.count + 1) * 20 + 1)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `following allocates nothing`() throws {
    let trace = ClockTrace("step8_g1.0", seed: 3)
    var follower = Self.started()
    var code = MTCFollower()
    var frames = PeriodFollower(nominalRate: try #require(SampleRate(hertz: 48000)))
    var released = Self.host(0)
    let ppqn = try #require(PPQN(96))
    var ticks: Int64 = 0
    // Two passes outside the count: the runtime allocates at first use, also at the
    // restart of time.
    for isCounted in [false, false, true] {
      if isCounted { callocationcounter_begin() }
      for index in 0..<trace.arrivals.count {
        let time = Self.host(trace.arrivals[index])
        ticks += Int64(follower.take(Self.clock, at: time).count)
        if let limit = follower.releaseLimit(at: time), limit > released {
          follower.forEachPiece(of: released..<limit) { window, piece in
            ticks += piece.ticks(ppqn: ppqn).firstCount(atOrAfter: window.upperBound)
          }
          released = limit
        }
        _ = code.take(Message(status: 0xF1, data1: UInt8(index % 8) << 4), at: time)
        frames.update(frames: Int64(index) * 1000, at: time)
      }
      if isCounted {
        let counts = callocationcounter_end()
        #expect(counts.allocations == 0)
        #expect(counts.locks == 0)
      }
    }
    #expect(ticks != 0)
  }
}
