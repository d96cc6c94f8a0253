// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct InstantDurationTests {
  @Test func `durations are added and are the difference, and nothing is early`() {
    let time = HostTime(nanoseconds: 1_000)
    #expect(time + .microseconds(2) == HostTime(nanoseconds: 3_000))
    #expect(time - .nanoseconds(1) == HostTime(nanoseconds: 999))
    #expect(HostTime(nanoseconds: 5) - time == .nanoseconds(-995))
    let third = Duration(secondsComponent: 0, attosecondsComponent: 333_333_333)
    #expect(time + third == HostTime(nanoseconds: 1_001))
    #expect(time - third == time)
    #expect(Duration.seconds(Int64.max).nanosecondsRoundedUp == .max)
    #expect((Duration.zero - third).nanosecondsRoundedUp == 0)
    var moved = ReferenceTime.zero
    moved += .seconds(1)
    moved -= .milliseconds(1)
    #expect(moved.nanoseconds == 999_000_000)
  }

  @Test func `the clock advances, and a wait has the requested length`()
    async throws
  {
    let before = HostTime.now
    try await Task.sleep(until: before + .milliseconds(5), clock: .host)
    #expect(HostClock().now >= before + .milliseconds(5))
    try await HostClock().sleep(until: before)
  }
}
