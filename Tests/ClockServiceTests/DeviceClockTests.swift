// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import ClockTraces
import MusicalTime
import Realtime
import Testing

/// The clock of a sound device in a snapshot, on the line of its periods.
@Suite struct DeviceClockTests {
  /// A device 80 ppm fast, measured for a minute by a thread that wakes late.
  private func clock() throws -> SampleClock {
    let trace = PeriodTrace(.wakeUp, seed: 1)
    var follower = PeriodFollower(nominalRate: try #require(SampleRate(hertz: 48_000)))
    for (index, arrival) in trace.arrivals.enumerated() {
      let time = HostTime(nanoseconds: Int64((arrival * 1e9).rounded()))
      follower.update(frames: Int64(index) * 256, at: time)
    }
    return try #require(SampleClock(follower, delay: 512))
  }

  @Test func `frames and instants convert both ways over a day, and never decrease`() throws {
    let line = try clock().timeline
    var last = HostTime(nanoseconds: .min)
    for step in 0..<100_000 {
      let frame = Int64(step) * 41_471
      let time = line.timeRoundedUp(atCount: frame)
      #expect(line.firstCount(atOrAfter: time) == frame)
      #expect(time > last)
      last = time
      // An instant is less than a frame before the one to which it is rounded.
      let later = time.advanced(byNanoseconds: Int64(step % 20_000))
      let back = line.timeRoundedUp(atCount: line.firstCount(atOrAfter: later))
      #expect((0...20_834).contains(back.nanoseconds - later.nanoseconds))
    }
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `reading it allocates and locks nothing`() throws {
    let clock = try clock()
    let published = Snapshot(clock)
    let reader = published.reader
    let rate = try #require(SampleRate(hertz: 48_000))
    var sum: Int64 = 0
    // One pass outside the count: the runtime initialises itself at first use.
    for isCounted in [false, true] {
      if isCounted { callocationcounter_begin() }
      for step in 0..<1000 {
        let clock = reader.read()
        let base = TimeBase(
          clock, at: SampleTime(frames: Int64(step) * 256), rate: rate, buffered: 512)
        let host = base.hostTime(of: base.time(at: HostTime(nanoseconds: Int64(step))))
        sum &+= clock.timeline.firstCount(atOrAfter: host)
      }
      if isCounted {
        let counts = callocationcounter_end()
        #expect(counts.allocations == 0)
        #expect(counts.locks == 0)
      }
    }
    #expect(sum != 0)
  }
}
