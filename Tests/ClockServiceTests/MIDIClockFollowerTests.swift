// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// The state table of a MIDI clock receiver, message by message.
@Suite struct MIDIClockFollowerTests {
  private func clock(_ count: Int64) -> FollowedPosition { .clock(MIDIClock(count: count)) }

  @Test func `the first clock after Start is position 0`() throws {
    var wire = ClockWire()
    wire.clocks(48)
    #expect(wire.takeEvents() == [.locked])
    wire.send(0xFA)
    #expect(wire.takeEvents() == [.located(clock(0)), .armed])
    #expect(wire.follower.transport == .armed)
    #expect(wire.follower.timeline(at: wire.now) == nil)
    wire.clocks(1)
    #expect(wire.takeEvents() == [.started(clock(0), at: wire.now)])
    #expect(wire.follower.position == MIDIClock(count: 0))
    wire.clocks(96)
    #expect(wire.follower.position == MIDIClock(count: 96))
    let quarters = try #require(wire.quarters(at: wire.now))
    #expect(abs(quarters - 4) < 1e-6)
  }

  @Test func `a first clock in the same instant as Start is position 0`() {
    var wire = ClockWire()
    wire.clocks(30)
    wire.send(0xFA)
    wire.send(0xF8)
    #expect(wire.takeEvents().last == .started(clock(0), at: wire.now))
    wire.clocks(24)
    #expect(wire.follower.position == MIDIClock(count: 24))
  }

  @Test func `a stray clock long before the first is not a period`() throws {
    var wire = ClockWire()
    wire.send(0xF8)
    wire.now = wire.now.advanced(byNanoseconds: 400_000_000_000)
    wire.send(0xF8)
    wire.send(0xFA)
    wire.clocks(1)
    let line = try #require(wire.follower.timeline(at: wire.now))
    #expect(line.numerator / line.denominator < 100_000_000)
    let ppqn = try #require(PPQN(32_767))
    #expect(line.ticks(ppqn: ppqn).firstCount(atOrAfter: wire.now) == 0)
  }

  @Test func `a master that sends clocks only while it plays is followed from the first`() throws {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(1, tempo: 140)
    #expect(wire.takeEvents() == [.located(clock(0)), .armed, .started(clock(0), at: wire.now)])
    let start = wire.now
    #expect(abs(try #require(wire.quarters(at: start))) < 1e-9)
    wire.clocks(24, tempo: 140)
    #expect(wire.follower.lock == .locked)
    #expect(abs(wire.tempo - 140) < 1e-3)
    #expect(wire.follower.position == MIDIClock(count: 24))
  }

  @Test func `clocks before Start set the tempo but not the position`() {
    var wire = ClockWire()
    wire.clocks(24, tempo: 125)
    #expect(abs(wire.tempo - 125) < 1e-5)
    #expect(wire.follower.transport == .stopped)
    #expect(wire.follower.position == MIDIClock(count: 0))
    #expect(wire.follower.timeline(at: wire.now) == nil)
    #expect(wire.follower.releaseLimit(at: wire.now) == nil)
  }

  @Test func `Song Position Pointer while stopped locates, and Continue starts there`() {
    var wire = ClockWire()
    wire.clocks(24)
    _ = wire.takeEvents()
    wire.send(0xF2, 21, 0)
    #expect(wire.takeEvents() == [.located(clock(126))])
    wire.send(0xFB)
    #expect(wire.takeEvents() == [.armed])
    wire.clocks(1)
    #expect(wire.takeEvents() == [.started(clock(126), at: wire.now)])
    wire.clocks(6)
    #expect(wire.follower.position == MIDIClock(count: 132))
  }

  @Test func `the highest song position is bar 1024`() {
    var wire = ClockWire()
    wire.send(0xF2, 0x7F, 0x7F)
    #expect(wire.takeEvents() == [.located(clock(16383 * 6))])
  }

  @Test func `SPP while running is ignored and reported`() throws {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(25)
    _ = wire.takeEvents()
    wire.send(0xF2, 64, 0)
    #expect(wire.takeEvents() == [.ignored(try #require(SongPosition(midiBeats: 64)))])
    wire.clocks(24)
    #expect(wire.follower.position == MIDIClock(count: 48))
  }

  @Test func `Stop keeps the last clock, and Continue resumes with the next`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(28)
    _ = wire.takeEvents()
    wire.send(0xFC)
    #expect(wire.takeEvents() == [.stopped(.stopMessage, clock(27))])
    #expect(wire.follower.timeline(at: wire.now) == nil)
    wire.clocks(10)
    #expect(wire.follower.position == MIDIClock(count: 27))
    #expect(wire.follower.lock == .locked)
    wire.send(0xFB)
    wire.clocks(1)
    #expect(wire.takeEvents() == [.armed, .started(clock(28), at: wire.now)])
  }

  @Test func `Continue returns to the sixteenth if that is the policy`() {
    var settings = MIDIClockFollower.Settings()
    settings.continuesOnSixteenth = true
    var wire = ClockWire(settings)
    wire.send(0xFA)
    wire.clocks(28)
    wire.send(0xFC)
    _ = wire.takeEvents()
    wire.send(0xFB)
    #expect(wire.takeEvents() == [.located(clock(24)), .armed])
  }

  @Test func `Stop while armed disarms`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.send(0xFC)
    wire.clocks(4)
    #expect(wire.follower.transport == .stopped)
    #expect(wire.takeEvents().contains(.stopped(.stopMessage, clock(0))))
  }

  @Test func `two Starts in a row are one`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.send(0xFA)
    #expect(wire.takeEvents() == [.located(clock(0)), .armed, .located(clock(0))])
    wire.clocks(1)
    #expect(wire.takeEvents() == [.started(clock(0), at: wire.now)])
  }

  @Test func `Start while running begins again at the next clock`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(31)
    _ = wire.takeEvents()
    wire.send(0xFA)
    #expect(wire.takeEvents() == [.stopped(.restarted, clock(30)), .located(clock(0)), .armed])
    wire.clocks(1)
    #expect(wire.takeEvents() == [.started(clock(0), at: wire.now)])
  }

  @Test func `Continue while running changes nothing`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(30)
    _ = wire.takeEvents()
    wire.send(0xFB)
    wire.clocks(1)
    #expect(wire.takeEvents() == [])
    #expect(wire.follower.position == MIDIClock(count: 30))
  }

  @Test func `a Start out of phase with earlier clocks is followed at once`() throws {
    var wire = ClockWire()
    wire.clocks(100)
    wire.now = wire.now.advanced(byNanoseconds: 6_000_000)
    wire.send(0xFA)
    // The next clock arrives 26.8 ms after the last, instead of 20.8.
    wire.clocks(1)
    #expect(wire.takeEvents().last == .started(clock(0), at: wire.now))
    #expect(abs(try #require(wire.quarters(at: wire.now))) < 1e-9)
    wire.clocks(48)
    #expect(abs(try #require(wire.quarters(at: wire.now)) - 2) < 1e-6)
  }

  @Test func `a master that stops without Stop is predicted for a second, then stops`() throws {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(97)
    _ = wire.takeEvents()
    wire.wait(milliseconds: 52)
    #expect(wire.takeEvents() == [])
    wire.wait(milliseconds: 1)
    #expect(wire.takeEvents() == [.freewheeling])
    wire.wait(milliseconds: 900)
    #expect(wire.follower.transport == .running)
    #expect(abs(try #require(wire.quarters(at: wire.now)) - 4 - 0.953 * 2) < 1e-3)
    wire.wait(milliseconds: 60)
    #expect(wire.takeEvents() == [.lost, .stopped(.sourceLost, clock(96))])
    #expect(wire.follower.lock == .idle)
    wire.clocks(24)
    #expect(wire.follower.transport == .stopped)
  }

  /// At 122.9 BPM the freewheel time is 49.16 clocks.
  @Test(arguments: [61.3, 97.3, 122.9, 163.1])
  func `no silence shorter than the freewheel time stops the song`(tempo: Double) {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(97, tempo: tempo)
    wire.wait(milliseconds: 999)
    #expect(wire.follower.transport == .running)
    wire.wait(milliseconds: 2)
    #expect(wire.follower.transport == .stopped)
  }

  @Test func `clocks that return within the freewheel time find their position`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(97)
    wire.wait(milliseconds: 500)
    _ = wire.takeEvents()
    wire.clocks(2)
    #expect(wire.takeEvents() == [.locked])
    #expect(wire.follower.position == MIDIClock(count: 96 + 24 + 2))
    #expect(wire.follower.lostClocks == 24)
  }

  @Test func `1,000 BPM is refused, before and after a Start`() {
    var wire = ClockWire()
    wire.clocks(60, tempo: 1000)
    #expect(wire.takeEvents().contains(.tempoOutOfRange))
    #expect(wire.follower.lock != .locked)
    wire.send(0xFA)
    wire.clocks(60, tempo: 1000)
    let events = wire.takeEvents()
    #expect(events.contains { if case .stopped(.tempoOutOfRange, _) = $0 { true } else { false } })
    #expect(wire.follower.transport == .stopped)
  }

  @Test func `0 BPM, a Start without a clock after it, never starts`() {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.wait(milliseconds: 5000)
    #expect(wire.takeEvents() == [.located(clock(0)), .armed])
    #expect(wire.follower.transport == .armed)
  }

  @Test func `other messages do not concern a clock`() {
    var wire = ClockWire()
    for status: UInt8 in [0xFE, 0xFF, 0x90, 0xB3, 0xF1, 0xF3, 0xF6] { wire.send(status, 60, 1) }
    #expect(wire.takeEvents() == [])
    #expect(wire.follower.lock == .idle)
  }

  @Test func `nothing beyond one clock after the last is released`() throws {
    var wire = ClockWire()
    wire.send(0xFA)
    wire.clocks(49)
    let limit = try #require(wire.follower.releaseLimit(at: wire.now))
    #expect(abs(Double(limit.nanoseconds - wire.now.nanoseconds) - 20_833_334) < 10)
    // A clock that is late by less than a period does not move the limit.
    let later = wire.now.advanced(byNanoseconds: 20_000_000)
    #expect(wire.follower.releaseLimit(at: later) == limit)
    // One overdue clock is predicted.
    let overdue = wire.now.advanced(byNanoseconds: 22_000_000)
    let predicted = try #require(wire.follower.releaseLimit(at: overdue))
    #expect(abs(Double(predicted.nanoseconds - limit.nanoseconds) - 20_833_333) < 10)
    wire.send(0xFC)
    #expect(wire.follower.releaseLimit(at: wire.now) == nil)
  }

  @Test func `the release limit ends with time`() throws {
    var wire = ClockWire()
    wire.now = HostTime(nanoseconds: .max - 2_010_000_000)
    wire.send(0xFA)
    wire.clocks(96)
    #expect(wire.follower.transport == .running)
    #expect(wire.follower.releaseLimit(at: wire.now) == HostTime(nanoseconds: .max))
  }

  private static var resuming: MIDIClockFollower.Settings {
    var settings = MIDIClockFollower.Settings()
    settings.resumesAfterGap = true
    return settings
  }

  /// A wire with clocks 0 to 96, and then silence for some clocks.
  private static func gap(
    of clocks: Int64, _ settings: MIDIClockFollower.Settings
  ) -> ClockWire {
    var wire = ClockWire(settings)
    wire.send(0xFA)
    wire.clocks(97)
    wire.wait(milliseconds: clocks * 125 / 6)
    _ = wire.takeEvents()
    return wire
  }

  @Test func `after a gap a song is stopped until a start, or continues in time`() {
    var wire = Self.gap(of: 96, .init())
    wire.clocks(24)
    #expect(wire.follower.transport == .stopped)

    for length in [54, 72, 96, 960] as [Int64] {
      var wire = Self.gap(of: length, Self.resuming)
      #expect(wire.follower.transport == .stopped)
      wire.clocks(1)
      #expect(wire.follower.transport == .running)
      #expect(wire.follower.position == MIDIClock(count: 97 + length), "a gap of \(length)")
      #expect(wire.follower.isUncertain)
      wire.clocks(48)
      #expect(wire.follower.position == MIDIClock(count: 145 + length))
      #expect(wire.follower.lock == .locked)
    }
  }

  @Test func `the stop reason after a gap shows how the song continues`() {
    var wire = ClockWire(Self.resuming)
    wire.send(0xFA)
    wire.clocks(97)
    _ = wire.takeEvents()
    wire.wait(milliseconds: 1100)
    #expect(wire.takeEvents() == [.freewheeling, .lost, .stopped(.gap, clock(96))])
    wire.clocks(1)
    #expect(wire.takeEvents().contains { if case .started = $0 { true } else { false } })
  }

  @Test func `a position, a start or a stop ends the uncertainty after a gap`() {
    var located = Self.gap(of: 96, Self.resuming)
    located.send(0xF2, 20)
    located.clocks(1)
    #expect(located.follower.position == MIDIClock(count: 120))
    #expect(!located.follower.isUncertain)

    var moving = Self.gap(of: 96, Self.resuming)
    moving.clocks(2)
    #expect(moving.follower.isUncertain)
    _ = moving.takeEvents()
    moving.send(0xF2, 20)
    moving.clocks(1)
    #expect(moving.follower.position == MIDIClock(count: 120))
    #expect(!moving.follower.isUncertain)
    #expect(moving.takeEvents().contains(.jumped(clock(119))))

    var stopped = Self.gap(of: 96, Self.resuming)
    stopped.send(0xFC)
    stopped.clocks(3)
    #expect(stopped.follower.transport == .stopped)

    var started = Self.gap(of: 96, Self.resuming)
    started.send(0xFA)
    started.clocks(3)
    #expect(started.follower.position == MIDIClock(count: 2))
    #expect(!started.follower.isUncertain)
  }
}
