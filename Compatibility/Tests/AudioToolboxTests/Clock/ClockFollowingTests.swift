// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import TestSupport
import Testing

/// Clocks behind MIDI clock and time code: bytes with their times, and what is made of them.
///
/// All bytes are of the past, so that nothing depends on how busy the machine is.
@Suite struct ClockFollowingTests {
  private static let millisecond: UInt64 = 1_000_000

  /// Eight quarter frames of a label.
  static func quarterFrames(_ label: [UInt8], code: UInt8) -> [UInt8] {
    let nibbles = [3, 2, 1, 0].flatMap { [label[$0] & 15, label[$0] >> 4] }
    return nibbles.enumerated().map { piece, nibble in
      UInt8(piece) << 4 | (piece == 7 ? nibble | code << 1 : nibble)
    }
  }

  /// Time code of so many labels, every other frame's, from second 10 on; frames of so many
  /// nanoseconds.
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

  /// Clocks of a tempo, the last of them now or so many seconds ago; the time of the first.
  static func clocks(_ count: Int, milliseconds: UInt64, ago seconds: Int = 0) -> (
    start: UInt64, packets: [(MIDITimeStamp, [UInt8])]
  ) {
    let last = mach_absolute_time() - UInt64(seconds) * 1000 * millisecond
    let start = last - UInt64(count - 1) * milliseconds * millisecond
    return (
      start, (0..<count).map { (start + UInt64($0) * milliseconds * millisecond, [0xF8]) }
    )
  }

  @Test func `Time code starts a clock, and its labels are the clock's at their times`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 25))
    await clock.log.wait(for: .started)
    #expect(clock.log.all.contains(.startTimeSet))
    for label in [15, 20, 24] {
      let host = start + UInt64(label) * 80_000_000
      // The line is estimated anew as the bytes are taken.
      await wait { abs(clock.media(host, .smpteSeconds) - 10 - 0.08 * Double(label)) < 0.003 }
      #expect(abs(clock.media(host, .smpteSeconds) - 10 - 0.08 * Double(label)) < 0.003)
      #expect(abs(clock.media(host, .beats) - 20 - 0.16 * Double(label)) < 0.006)
    }
    #expect(abs(clock.rate - 1) < 0.01)
    #expect(CAClockStop(clock.handle) == 0)
  }

  @Test func `The offset is the label at the start`() async {
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

  @Test func `Time code at half its speed is a play rate of a half`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 4_000_000_000
    clock.parse(Self.code(from: start, labels: 25, frame: 80_000_000))
    await clock.log.wait(for: .started)
    #expect(abs(clock.rate - 0.5) < 0.01)
  }

  @Test func `Time code of another format is told of and moves nothing`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 20, base: 24, code: 0))
    await clock.log.wait(for: .wrongSMPTEFormat)
    #expect(clock.log.count(.started) == 0 && clock.beats == 0)
  }

  @Test func `A full frame sets where it starts, and starts nothing`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport)
    let now = mach_absolute_time()
    clock.parse([(now, [0xF0, 0x7F, 0x7F, 1, 1, 1 << 5 | 1, 2, 3, 5, 0xF7])])
    await clock.log.wait(for: .startTimeSet)
    await wait { clock.start != 0 }
    #expect(abs(clock.start - 2 * 3723.2) < 0.001)
    #expect(clock.log.count(.started) == 0)
  }

  @Test func `Time code that ends lets the clock go on for the freewheel time, then stop`() async {
    let clock = TestClock()
    clock.follow(.mtcTransport, freewheel: 4)
    let start = mach_absolute_time() - 2_000_000_000
    clock.parse(Self.code(from: start, labels: 25))
    await clock.log.wait(for: .started)
    let later = start + 2_500_000_000
    await wait { mach_absolute_time() >= later }
    // Where it was looked so late that it stands again, it is told that it does.
    #expect(
      await wait {
        abs(clock.media(later, .seconds) - 12.5) < 0.01 || clock.log.count(.stopped) > 0
      })
    await clock.log.wait(for: .stopped)
  }

  @Test func `Who is not armed is not moved by a master`() async throws {
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
    // The first clock after Continue is the place; the last is three beats on.
    #expect(abs(clock.media(start + 72 * 25 * Self.millisecond, .beats) - 19) < 0.02)
  }

  @Test func `Start is at 0, Stop stops and leaves the clock armed for the next`() async {
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

  @Test func `Disarmed while it runs, a clock goes on until its master stops, and no more starts`()
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
