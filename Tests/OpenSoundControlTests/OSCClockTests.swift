// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import OpenSoundControl
import TestSupport
import Testing

@Suite struct OSCClockTests {
  private static let start = HostTime(nanoseconds: 0)

  @Test func `1970 and half a second is its well-known tag`() {
    let clock = OSCClock(wall: 500_000_000, host: HostTime(nanoseconds: 77))
    let tag = clock.tag(of: HostTime(nanoseconds: 77))
    #expect(tag == OSCTimeTag(rawValue: 0x83AA_7E80_8000_0000))
    let instant = clock.hostTime(of: tag, near: HostTime(nanoseconds: 1_000_000))
    #expect(instant == HostTime(nanoseconds: 77))
  }

  @Test func `the host time of the immediate tag is nil`() {
    let clock = OSCClock(wall: 0, host: Self.start)
    #expect(clock.hostTime(of: .immediately, near: Self.start) == nil)
  }

  @Test func `an instant's tag is that instant again, across the turn of the seconds in 2036`() {
    var random = SplitMix(seed: 4)
    let turn: Int64 = (1 << 32 - 2_208_988_800) * 1_000_000_000
    for _ in 0..<10_000 {
      let host = HostTime(nanoseconds: .random(in: 0...1 << 60, using: &random))
      let wall = turn + .random(in: -2_000_000_000...2_000_000_000, using: &random)
      let clock = OSCClock(wall: wall, host: host)
      let other = host.advanced(
        byNanoseconds: .random(in: -4_000_000_000...4_000_000_000, using: &random))
      #expect(clock.hostTime(of: clock.tag(of: other), near: host) == other)
    }
  }

  @Test func `a tag between two nanoseconds is the nearer one`() {
    let clock = OSCClock(wall: 0, host: Self.start)
    let zero = clock.tag(of: Self.start).rawValue
    // 1 ns is 4.29 of a tag's steps.
    let times = [0, 2, 3, 4, 6, 7].map {
      clock.hostTime(of: OSCTimeTag(rawValue: zero + $0), near: Self.start)?.nanoseconds
    }
    #expect(times == [0, 0, 1, 1, 1, 2])
  }
}
