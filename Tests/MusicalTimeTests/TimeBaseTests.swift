// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import TestSupport
import Testing

/// Conversions between an output's time and host time.
@Suite struct TimeBaseTests {
  private func host(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds) }
  private func time(_ nanoseconds: Int64) -> ReferenceTime {
    ReferenceTime(nanoseconds: nanoseconds)
  }

  @Test func `conversions are exact in both directions, for both moments`() {
    let base = TimeBase(origin: host(5_000_000_007), delay: 60_000_000)
    for nanoseconds in [-3, 0, 1, 20_834, 7_777_777_777] as [Int64] {
      for moment in [TimeBase.Moment.audible, .scheduled] {
        let there = base.hostTime(of: time(nanoseconds), moment)
        #expect(base.time(at: there, moment) == time(nanoseconds))
      }
      #expect(base.hostTime(of: time(nanoseconds)) == host(nanoseconds + 5_060_000_007))
      #expect(base.hostTime(of: time(nanoseconds), .scheduled) == host(nanoseconds + 5_000_000_007))
    }
  }

  @Test func `without an output both times are equal`() {
    #expect(TimeBase.host.hostTime(of: time(12)) == host(12))
    #expect(TimeBase.host.time(at: host(.max)) == time(.max))
  }

  @Test func `results beyond the range are limited to it`() {
    let base = TimeBase(origin: host(10), delay: 5)
    #expect(base.hostTime(of: time(.max)) == host(.max))
    #expect(base.time(at: host(.min)) == time(.min))
  }

  @Test func `windows and lines are converted too`() throws {
    let base = TimeBase(origin: host(1_000), delay: 234)
    let window = time(5)..<time(17)
    #expect(base.hostWindow(of: window) == host(1_239)..<host(1_251))
    #expect(base.window(of: base.hostWindow(of: window)) == window)
    let line = try Timeline<Tick, HostTime>(
      countOrigin: 3, origin: host(7_777), nanosecondsPerCount: Ratio(1_000, over: 3),
      validUntil: host(9_000))
    let own = base.line(of: line)
    #expect(own.validUntil == time(9_000 - 1_234))
    for count in [-2, 3, 4, 1_000] as [Int64] {
      #expect(
        own.timeRoundedUp(atCount: count) == base.time(at: line.timeRoundedUp(atCount: count)))
    }
    #expect(base.hostLine(of: own).timeRoundedUp(atCount: 4) == line.timeRoundedUp(atCount: 4))
    let open = try Timeline<Tick, HostTime>(
      countOrigin: 0, origin: .zero, nanosecondsPerCount: 1)
    #expect(base.line(of: open).validUntil == time(.max))
  }

  @Test func `frame starts are rounded up, and frames of instants down or to the nearest`() {
    let rate = SampleRate.hertz48000
    #expect(rate.timeRoundedUp(of: SampleTime(frames: 1)) == time(20_834))
    #expect(rate.frame(at: time(20_833)).frames == 0)
    #expect(rate.frame(at: time(20_834)).frames == 1)
    #expect(rate.frame(at: time(-1)).frames == -1)
    #expect(rate.nearestFrame(to: time(10_416)).frames == 0)
    #expect(rate.nearestFrame(to: time(10_417)).frames == 1)
    #expect(rate.nearestFrame(to: time(-10_417)).frames == -1)
    #expect(rate.nearestFrame(to: time(-10_416)).frames == 0)
  }

  /// A device whose frame 0 left its buffer at an instant.
  private func clock(_ frameZero: Int64, delay: Int64 = 0) throws -> SampleClock {
    var device = PeriodFollower(nominalRate: .hertz48000)
    device.update(frames: 48, at: host(frameZero + 1_000_000))
    return try #require(SampleClock(device, delay: delay))
  }

  @Test func `an output's base follows from its clock, and is nil before it`() throws {
    let reference = ReferenceClock(rate: .hertz48000, latency: 480)
    #expect(reference.look(nil, at: SampleTime(frames: 48)) == time(1_000_000))
    #expect(reference.base == nil && reference.delay == 10_000_000)
    reference.look(try clock(500_000_000, delay: 2_000_000), at: SampleTime(frames: 48))
    let base = try #require(reference.base)
    #expect(base == TimeBase(origin: host(490_000_000), delay: 12_000_000, epoch: 0))
    #expect(base.hostTime(of: .zero) == host(502_000_000))
  }

  @Test func `latency of the graph delays the sound, but not the schedule`() throws {
    let reference = ReferenceClock(rate: .hertz48000, latency: 480, graphLatency: 48)
    #expect(reference.delay == 11_000_000)
    #expect(reference.hostTime(of: .zero) == host(11_000_000))
    let clock = try clock(500_000_000, delay: 2_000_000)
    reference.look(clock, at: SampleTime(frames: 48))
    #expect(reference.base == TimeBase(origin: host(490_000_000), delay: 13_000_000, epoch: 0))
    reference.graphLatency = 96
    reference.look(clock, at: SampleTime(frames: 48))
    #expect(reference.base == TimeBase(origin: host(490_000_000), delay: 14_000_000, epoch: 1))
  }

  @Test func `an instant keeps the host time that was returned for it`() throws {
    let reference = ReferenceClock(rate: .hertz48000, latency: 0)
    reference.look(try clock(1_000_000_000), at: SampleTime(frames: 48))
    #expect(reference.hostTime(of: time(40_000_000)) == host(1_040_000_000))
    // A change of less than 2 µs is ignored.
    reference.look(try clock(1_000_001_900), at: SampleTime(frames: 96))
    #expect(reference.base?.epoch == 0)
    reference.look(try clock(1_005_000_000), at: SampleTime(frames: 144))
    #expect(reference.base?.epoch == 1)
    #expect(reference.hostTime(of: time(39_999_999)) == host(1_039_999_999))
    #expect(reference.hostTime(of: time(40_000_001)) == host(1_045_000_001))
  }

  @Test func `a host time is converted by the base of that time, across a gap too`() throws {
    let reference = ReferenceClock(rate: .hertz48000, latency: 0)
    #expect(reference.time(at: host(5)) == time(5))
    reference.look(try clock(1_000_000_000), at: SampleTime(frames: 48))
    #expect(reference.time(at: host(1_030_000_000)) == time(30_000_000))
    // After 40 ms there was silence for a second.
    reference.look(try clock(2_000_000_000), at: SampleTime(frames: 1920))
    for instant in [-3, 1_000_000, 39_999_999] as [Int64] {
      #expect(reference.time(at: host(1_000_000_000 + instant)) == time(instant))
    }
    #expect(reference.time(at: host(1_500_000_000)) == time(-500_000_000))
    #expect(reference.time(at: host(2_040_000_007)) == time(40_000_007))
  }
}
