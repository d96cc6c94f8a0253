// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import Testing

/// The published position while the next clock is overdue.
@Suite struct FollowerSlowerTests {
  private static let period: Int64 = 20_833_333
  private static let start: Int64 = 86_400_000_000_000

  /// A follower after 200 even clocks and so many periods to the last one, and when that was.
  private static func follower(lastInterval periods: Double) -> (MIDIClockFollower, Int64) {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: HostTime(nanoseconds: start))
    var time = start
    for index in 0..<201 {
      time += index < 200 ? period : Int64(periods * Double(period))
      _ = follower.take(Message(status: 0xF8), at: HostTime(nanoseconds: time))
    }
    return (follower, time)
  }

  private static func position(_ follower: MIDIClockFollower, _ nanoseconds: Int64) -> Double? {
    let time = HostTime(nanoseconds: nanoseconds)
    return follower.timeline(at: time)?.position(at: time)
  }

  @Test func `the position is held back where two clocks in a row are missing`() throws {
    let (follower, last) = Self.follower(lastInterval: 2)
    let missing = try #require(Self.position(follower, last + Self.period))
    let later = try #require(Self.position(follower, last + 2 * Self.period))
    #expect(later > missing)
    // One clock if the old tempo were published all the time.
    #expect(later - missing < 0.15)
  }

  @Test func `a clock in time after a lost one leaves the position where it is`() throws {
    var (follower, last) = Self.follower(lastInterval: 2)
    last += Self.period
    let before = try #require(Self.position(follower, last))
    _ = follower.take(Message(status: 0xF8), at: HostTime(nanoseconds: last))
    let after = try #require(Self.position(follower, last + Self.period))
    #expect(abs(after - before - 1) < 0.001)
    #expect(follower.lostClocks == 1)
  }

  @Test func `nothing is handed out past the instant at which the tempo would have fallen`() throws
  {
    let (follower, last) = Self.follower(lastInterval: 2)
    // Predicted from here on, and not overdue yet.
    let now = HostTime(nanoseconds: last + Self.period + 100_000)
    let limit = try #require(follower.releaseLimit(at: now))
    #expect(limit > now && limit.nanoseconds < last + Self.period + 5_000_000)
  }
}
