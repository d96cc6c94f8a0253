// SPDX-License-Identifier: Apache-2.0
import ClockService
import Glibc
import MIDIMessages
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Transports with a clock that the test moves: nothing sleeps.
@Suite struct TransportByHandTests {
  private static let second: Int64 = 1_000_000_000

  private func transport(_ machine: ManualClock, _ sync: sending ClockSync = ClockSync()) throws
    -> Transport
  {
    try Transport(MusicClock(tempoMap: .constant(500_000)), sync: sync, machine: machine)
  }

  @Test func `a clock starts ahead and has a position at any instant`() throws {
    let machine = try ManualClock()
    let clock = try transport(machine)
    defer { clock.end() }
    let start = machine.now + clock.lead
    try clock.start(from: 480)
    machine.settle()
    machine.advance(by: 5_000_000)
    #expect(clock.snapshot.isRunning)
    #expect(clock.snapshot.position(at: start).tick == 480)
    #expect(
      clock.snapshot.position(at: start.advanced(byNanoseconds: 10 * Self.second)).tick == 10_080)
    machine.advance(by: Self.second)
    try clock.setTempo(Tempo.beatsPerMinute(60, rounding: .nearest).value)
    machine.advance(by: Self.second)
    #expect(clock.snapshot.beatsPerMinute(at: machine.now) == 60)
    clock.stop()
    machine.advance(by: 100_000_000)
    let rest = clock.snapshot.position(at: machine.now).tick
    machine.advance(by: 3_600 * Self.second)
    #expect(!clock.snapshot.isRunning)
    #expect(clock.snapshot.position(at: machine.now).tick == rest)
    clock.start()
    machine.advance(by: Self.second)
    #expect(clock.snapshot.position(at: machine.now).tick > rest)
  }

  @Test func `a command is based on earlier commands, even before their effect`() throws {
    let machine = try ManualClock()
    let clock = try transport(machine)
    defer { clock.end() }
    let slow = try Tempo.beatsPerMinute(60, rounding: .nearest).value
    let master = ExternalClock.Source.midiClock(MIDIClockFollower())
    for _ in 0..<100 {
      clock.start()
      try clock.setTempo(slow)
      #expect(clock.isToRun && clock.tempo == slow)
      #expect(throws: ClockError.runs("sync")) { try clock.follow(master) }
      clock.stop()
      #expect(!clock.isToRun && clock.tempo == nil)
      #expect(throws: ClockError.stands("tempo")) { try clock.setTempo(slow) }
      try clock.follow(master)
      try clock.follow(nil)
    }
    clock.start()
    try clock.setTempo(slow)
    machine.advance(by: Self.second)
    #expect(clock.snapshot.isRunning && clock.snapshot.beatsPerMinute(at: machine.now) == 60)
  }

  @Test func `its clocks are sent when they are due, and not one more`() throws {
    let machine = try ManualClock()
    let port = RecordingPort()
    var sync = ClockSync()
    sync.outputs = [
      .init(
        MIDIClockGenerator(tempoMap: try .constant(500_000), sendsWhileStanding: false), to: port)
    ]
    // Owned by the event thread, whose end is waited for below.
    nonisolated(unsafe) let given = sync
    let clock = try unsafe transport(machine, given)
    let start = machine.now.advanced(byNanoseconds: 200_000_000)
    try clock.start(from: 0, at: start)
    machine.advance(by: 2 * Self.second)
    clock.end()
    let due = port.events.filter { $0.status == 0xF8 }.map {
      $0.time.nanoseconds - start.nanoseconds
    }
    #expect(due.count > 80)
    #expect(due == (0..<Int64(due.count)).map { ($0 * Self.second + 47) / 48 })
  }

  @Test func `a removed observer is not called any more, and the others receive the end`() throws {
    let machine = try ManualClock()
    let clock = try transport(machine)
    let heard = Mutex<[Int]>([0, 0])
    let first = try clock.observe { _ in heard.withLock { $0[0] += 1 } }
    try clock.observe { _ in heard.withLock { $0[1] += 1 } }
    try clock.locate(to: 480)
    machine.advance(by: 5_000_000)
    while heard.withLock({ $0 != [1, 1] }) { _ = sched_yield() }
    clock.forget(first)
    try clock.locate(to: 960)
    machine.advance(by: 5_000_000)
    clock.end()
    #expect(heard.withLock { $0 } == [1, 2])
  }

  @Test func `a start waits for an output that has not started`() throws {
    let machine = try ManualClock()
    let reference = ReferenceClock(rate: .hertz48000, latency: 480)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try .constant(500_000)), sources: [], router: Router(),
      reference: reference)
    let device = Mutex<SampleClock?>(nil)
    // Owned by the transport from here on.
    nonisolated(unsafe) let (owned, seen) = (scheduler, reference)
    let transport = try unsafe Transport(owned, machine: machine) {
      unsafe seen.look(device.withLock { $0 }, at: SampleTime(frames: 4_800))
    }
    defer { transport.end() }
    try transport.start(from: 0)
    // The play rate only fits the last tempo.
    let slow = try #require(Tempo(tenNanosecondsPerQuarter: 4_000_000_000))
    try transport.setTempo(slow)
    try transport.setTempo(.standard)
    try transport.setPlayRate(Ratio(99_999_999_977, over: 99_999_999_947))
    try transport.setPlayRate(1)
    let receipt = try transport.setTempo(Tempo.beatsPerMinute(60, rounding: .nearest).value)
    try transport.locate(to: 960)
    machine.advance(by: 10 * Self.second)
    #expect(!receipt.isInEffect && transport.isToRun)
    #expect(transport.base == nil && !transport.snapshot.isRunning)
    #expect(transport.snapshot.time(of: 0, from: .zero) == nil)
    var follower = PeriodFollower(nominalRate: .hertz48000)
    follower.update(frames: 4_800, at: machine.now)
    let begun = SampleClock(follower, delay: 0)
    device.withLock { $0 = begun }
    machine.advance(by: 10_000_000)
    #expect(transport.failure == nil && transport.snapshot.isRunning)
    #expect(transport.snapshot.beatsPerMinute(at: machine.now) == 60)
    // The last 100 ms of rendered sound are audible 10 ms after leaving the buffer.
    let base = try #require(transport.base)
    #expect(
      base.hostTime(of: ReferenceTime(nanoseconds: 100_000_000))
        == machine.now.advanced(byNanoseconds: -10_000_000))
    #expect(transport.snapshot.time(of: 1440, from: .zero) != nil)
    #expect((960..<980).contains(transport.snapshot.position(at: machine.now).tick))
  }
}
