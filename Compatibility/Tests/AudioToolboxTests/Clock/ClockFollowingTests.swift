// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import TestSupport
import Testing

/// Clocks that follow MIDI clock and time code.
///
/// The tests pass bytes with their times.
///
/// All times are in the past, so that the results do not depend on the load of the machine.
@Suite struct ClockFollowingTests {
  private static let millisecond: UInt64 = 1_000_000

  /// The eight quarter frames of a time code.
  static func quarterFrames(_ label: [UInt8], code: UInt8) -> [UInt8] {
    let nibbles = [3, 2, 1, 0].flatMap { [label[$0] & 15, label[$0] >> 4] }
    return nibbles.enumerated().map { piece, nibble in
      UInt8(piece) << 4 | (piece == 7 ? nibble | code << 1 : nibble)
    }
  }

  /// Quarter frames of a number of time codes, one for every other frame, from second 10 on.
  static func code(
    from start: UInt64, labels: Int, frame: UInt64 = 40_000_000, base: Int = 25, code: UInt8 = 1
  ) -> [(MIDITimeStamp, [UInt8])] {
    (0..<labels).flatMap { index in
      let frames = 10 * base + 2 * index
      let label = [0, 0, UInt8(frames / base), UInt8(frames % base)]
      return quarterFrames(label, code: code).enumerated().map { piece, byte in
        (start + UInt64(8 * index + piece) * frame / 4, [0xF1, byte])
      }
    }
  }

  /// Clock messages at a constant interval, the last of them now or `ago` seconds ago, and the time
  /// of the first.
  static func clocks(_ count: Int, milliseconds: UInt64, ago seconds: Int = 0) -> (
    start: UInt64, packets: [(MIDITimeStamp, [UInt8])]
  ) {
    let last = mach_absolute_time() - UInt64(seconds) * 1000 * millisecond
    let start = last - UInt64(count - 1) * milliseconds * millisecond
    return (
      start, (0..<count).map { (start + UInt64($0) * milliseconds * millisecond, [0xF8]) }
    )
  }

  @Test func `Time code starts a clock, and the clock has its positions at their times`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 25))
    await clock.log.wait(for: .started)
    #expect(clock.log.all.contains(.startTimeSet))
    for label in [15, 20, 24] {
      let host = start + UInt64(label) * 80_000_000
      // The timeline is estimated again as the bytes are parsed.
      await wait { abs(clock.media(host, .smpteSeconds) - 10 - 0.08 * Double(label)) < 0.003 }
      #expect(abs(clock.media(host, .smpteSeconds) - 10 - 0.08 * Double(label)) < 0.003)
      #expect(abs(clock.media(host, .beats) - 20 - 0.16 * Double(label)) < 0.006)
    }
    #expect(abs(clock.rate - 1) < 0.01)
    #expect(CAClockStop(clock.handle) == 0)
  }

  @Test func `The offset is the time code of the start`() async {
    let clock = TestClock()
    #expect(clock.set(.smpteOffset, [8.0]) == 0)
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 25))
    await clock.log.wait(for: .started)
    await wait { abs(clock.media(start + 1_600_000_000, .seconds) - 3.6) < 0.003 }
    #expect(abs(clock.media(start + 1_600_000_000, .seconds) - 3.6) < 0.003)
    #expect(abs(clock.media(start + 1_600_000_000, .smpteSeconds) - 11.6) < 0.003)
  }

  @Test func `Time code at half speed gives a play rate of 0.5`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 4_000_000_000
    clock.parse(Self.code(from: start, labels: 25, frame: 80_000_000))
    await clock.log.wait(for: .started)
    #expect(abs(clock.rate - 0.5) < 0.01)
  }

  @Test func `Time code of another format is reported and does not move the clock`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 20, base: 24, code: 0))
    await clock.log.wait(for: .wrongSMPTEFormat)
    #expect(clock.log.count(.started) == 0 && clock.beats == 0)
  }

  @Test func `A full-frame message sets the start position and does not start the clock`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let now = mach_absolute_time()
    clock.parse([(now, [0xF0, 0x7F, 0x7F, 1, 1, 1 << 5 | 1, 2, 3, 5, 0xF7])])
    await clock.log.wait(for: .startTimeSet)
    await wait { clock.start != 0 }
    #expect(abs(clock.start - 2 * 3723.2) < 0.001)
    #expect(clock.log.count(.started) == 0)
  }

  @Test func `When time code ends, the clock runs on for the freewheel time, then stops`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport, freewheel: 4)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 25))
    await clock.log.wait(for: .started)
    let later = start + 2_500_000_000
    await wait { mach_absolute_time() >= later }
    // If this thread is so late that the clock has already stopped, a stop was reported.
    #expect(
      await wait {
        abs(clock.media(later, .seconds) - 12.5) < 0.01 || clock.log.count(.stopped) > 0
      })
    await clock.log.wait(for: .stopped)
  }

  @Test func `A clock that is not armed ignores its master`() async throws {
    let clock = TestClock()
    clock.follow(.midiClockTransport, armed: false)
    let (start, clocks) = Self.clocks(48, milliseconds: 20)
    clock.parse([(start - 5 * Self.millisecond, [0xFA])])
    clock.parse(clocks)
    try await Task.sleep(for: .milliseconds(50))
    #expect(CAClockSetPlayRate(clock.handle, 1) == kCAClock_InvalidPlayRateError)
    #expect(clock.log.count(.started) == 0 && clock.beats == 0)
  }

  @Test func `A song position sets the start, and the first clock after Continue is there`() async {
    let clock = TestClock()
    clock.follow(.midiClockTransport)
    let (start, clocks) = Self.clocks(73, milliseconds: 25)
    clock.parse([(start - 10 * Self.millisecond, [0xF2, 64, 0])])
    await clock.log.wait(for: .startTimeSet)
    clock.parse([(start - 5 * Self.millisecond, [0xFB])])
    clock.parse(clocks)
    await clock.log.wait(for: .started)
    #expect(abs(clock.start - 16) < 0.01)
    await wait { !clock.media(start + 72 * 25 * Self.millisecond, .beats).isNaN }
    // The first clock after Continue is at the position; the last is three beats later.
    #expect(abs(clock.media(start + 72 * 25 * Self.millisecond, .beats) - 19) < 0.02)
  }

  @Test func `Start begins at 0, and Stop stops the clock, which stays armed`() async {
    let clock = TestClock()
    clock.follow(.midiClockTransport)
    for (turn, ago) in [(1, 20), (2, 5)] {
      let (start, clocks) = Self.clocks(73, milliseconds: 10, ago: ago)
      clock.parse([(start - 5 * Self.millisecond, [0xFA])] + clocks)
      await clock.log.wait(for: .started, count: turn)
      #expect(clock.start == 0)
      await wait { clock.rate != 1 }
      #expect(abs(clock.rate - 100 / 48) < 0.05)
      clock.parse([(start + 800 * Self.millisecond, [0xFC])])
      await clock.log.wait(for: .stopped, count: turn)
    }
  }

  @Test func `A disarmed clock runs until its master stops, and does not start again`()
    async throws
  {
    let clock = TestClock()
    clock.follow(.midiClockTransport)
    let (start, clocks) = Self.clocks(49, milliseconds: 20)
    clock.parse([(start - 5 * Self.millisecond, [0xFA])] + clocks)
    await clock.log.wait(for: .started)
    #expect(CAClockDisarm(clock.handle) == 0)
    await clock.log.wait(for: .disarmed)
    #expect(clock.log.count(.stopped) == 0)
    clock.parse([(0, [0xFC])])
    await clock.log.wait(for: .stopped)
    let (again, more) = Self.clocks(49, milliseconds: 20)
    clock.parse([(again - 5 * Self.millisecond, [0xFA])] + more)
    try await Task.sleep(for: .milliseconds(50))
    #expect(clock.log.count(.started) == 1)
  }
}
