// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import ClockService

/// Clocks on separate threads, as in a program that uses the library.
@Suite(.serialized) struct TransportTests {
  private func clock(_ tempo: Int = 500_000) throws -> MusicClock {
    MusicClock(tempoMap: try .constant(tempo))
  }

  private var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// Waits for a minute at most.
  private func wait(_ what: String, until isSo: () throws -> Bool) throws {
    for _ in 0..<12_000 {
      if try isSo() { return }
      usleep(5_000)
    }
    Issue.record("waited for \(what)")
  }

  @Test func `several clocks run at once, each at its own tempo`() throws {
    let clocks = try [500_000, 300_000, 1_000_000].map { try Transport(clock($0)) }
    // Far enough ahead for every clock.
    let start = now.advanced(byNanoseconds: 3_600_000_000_000)
    for clock in clocks { try clock.start(from: 0, at: start) }
    let later = start.advanced(byNanoseconds: 3_000_000_000)
    try wait("three starts") { clocks.allSatisfy { $0.snapshot.isRunning } }
    // A snapshot gives the position at any later instant: the ticks of three seconds, exactly.
    #expect(clocks.map { $0.snapshot.position(at: later).tick } == [2880, 4800, 1440])
    #expect(clocks.map { $0.snapshot.beatsPerMinute(at: later) } == [120, 200, 60])
    for clock in clocks { clock.end() }
  }

  @Test func `listeners receive events in order, and none after they are removed`() throws {
    let clock = try Transport(clock())
    let heard = Mutex<[ClockEvent]>([])
    let listener = try clock.observe { event in heard.withLock { $0.append(event) } }
    let start = now.advanced(byNanoseconds: 3_600_000_000_000)
    try clock.start(from: 480, at: start)
    try clock.setPlayRate(2)
    try clock.setMeterMap(MeterMap())
    try clock.setFreewheel(.seconds(2))
    clock.stop()
    try wait("a stop") {
      heard.withLock { events in
        events.contains { if case .stopped(.command, _, _) = $0 { true } else { false } }
      }
    }
    let events = heard.withLock { $0 }
    #expect(
      events.dropLast() == [
        .started(480, at: start), .changed(.playRate(2)), .changed(.freewheel(.seconds(2))),
      ])
    clock.forget(listener)
    try clock.locate(to: 960)
    clock.end()
    #expect(heard.withLock { $0.count } == events.count)
  }

  @Test func `eventStream ends with the last event`() async throws {
    let clock = try Transport(clock())
    let stream = try clock.eventStream
    try clock.locate(to: "3|1")
    for await event in stream {
      #expect(event == .startTimeSet(3840))
      break
    }
    clock.end()
  }

  @Test func `commands that belong to the master or need a running clock throw`()
    throws
  {
    let clock = try Transport(clock())
    #expect(throws: ClockError.stands("tempo")) { try clock.setTempo(.standard) }
    #expect(throws: ClockError.self) { try clock.setPlayRate(0) }
    #expect(throws: ClockError.self) { try clock.locate(to: "yesterday") }
    try clock.follow(.midiClock(MIDIClockFollower()))
    #expect(throws: ClockError.follows("start")) { try clock.start(from: 0) }
    #expect(throws: ClockError.follows("position")) { try clock.locate(to: 0) }
    #expect(throws: ClockError.follows("play rate")) { try clock.setPlayRate(2) }
    #expect(throws: ClockError.follows("tempo")) { try clock.setTempo(.standard) }
    try wait("a master") { clock.snapshot.mode == .midiClock }
    #expect(clock.snapshot.lock == .idle && clock.snapshot.isArmed)
    clock.disarm()
    try wait("disarming") { !clock.snapshot.isArmed }
    try clock.follow(nil)
    clock.start()
    try wait("a start") { clock.snapshot.isRunning }
    #expect(throws: ClockError.runs("sync")) { try clock.follow(.midiClock(MIDIClockFollower())) }
    clock.end()
  }

  @Test func `a play rate and a tempo that do not fit are refused, and the clock runs on`()
    throws
  {
    // Two nanosecond fractions: one fits with half a second per quarter note, one does not.
    let rate = Ratio(99_999_999_977, over: 99_999_999_947)
    let slow = try #require(Tempo(tenNanosecondsPerQuarter: 4_000_000_000))
    let clock = try Transport(clock())
    try clock.setPlayRate(rate)
    try clock.start(from: 0)
    try wait("a start") { clock.snapshot.isRunning }
    #expect(throws: ClockError.self) { try clock.setTempo(slow) }
    try clock.setPlayRate(1)
    try clock.setTempo(slow)
    #expect(throws: ClockError.self) { try clock.setPlayRate(rate) }
    clock.stop()
    try clock.setPlayRate(rate)
    try wait("the rate") { clock.snapshot.clock.playRate == rate }
    #expect(clock.failure == nil)
    clock.end()
    #expect(throws: TimeError.self) { try MusicClock(tempoMap: .constant(500_000), playRate: 0) }
  }

  @Test func `a snapshot has a position in every format`() throws {
    let clock = try Transport(clock())
    try clock.setLabels(at: .fps25, offset: Timecode(frame: 90_000, rate: .fps25))
    try clock.setMeterMap(
      MeterMap(changes: [
        MeterChange(position: 0, signature: try TimeSignature(numerator: 3, denominator: 4))
      ]))
    try clock.locate(to: 1920)
    try wait("the place") { clock.snapshot.position(at: now).tick == 1920 }
    let snapshot = clock.snapshot
    let time = now
    func value(_ format: TimeFormat) throws -> TimeValue {
      try snapshot.value(at: time, in: format, rounding: .exact).value
    }
    #expect(try value(.beats) == .number(4))
    #expect(try value(.seconds) == .number(2))
    #expect(try value(.ticks) == .count(1920))
    #expect(try value(.midiClocks) == .count(96))
    #expect(try value(.barBeat) == .barBeat(BarBeat(bar: 2, beat: 2, subbeat: 0)))
    #expect(try value(.timecode) == .timecode(Timecode(frame: 90_050, rate: .fps25)))
    #expect(try value(.hostTime) == .count(time.nanoseconds))
    clock.end()
  }

  @Test func `a clock with a name can be read by others, including its tempo by hand`() throws {
    let name = "test-\(ProcessInfo.processInfo.processIdentifier)-live"
    let clock = try Transport(clock(), name: name)
    let reader = try SharedClockReader(name: name)
    try clock.start(from: 0, at: now)
    try wait("a start") { try reader.read().value.isRunning }
    let tempo = Tempo(tenNanosecondsPerQuarter: 100_000_000)
    try clock.setTempo(tempo)
    try wait("the tempo") { try reader.read().value.tempoMap().tempo(at: 0) == tempo }
    clock.stop()
    try wait("the map's") { try reader.read().value.tempoMap().tempo(at: 0) == .standard }
    clock.end()
    #expect(reader.publisher == .ended)
  }

  @Test func `read by four threads while its tempo map changes, a clock never goes back`() throws {
    let clock = try Transport(clock())
    try clock.start(from: 0, at: now)
    try wait("a start") { clock.snapshot.isRunning }
    let mustEnd = Atomic(false)
    let backward = Atomic(0)
    let readings = Atomic(0)
    try withExtendedLifetime(clock) {
      let threads = try (0..<4).map { _ in
        try RealtimeThread(name: "reader", priority: nil) {
          var last = (time: HostTime.zero, tick: Tick.zero, edition: UInt32.zero)
          while !mustEnd.load(ordering: .relaxed) {
            let time = HostTime(nanoseconds: DeadlineWait.now)
            let snapshot = clock.snapshot
            let (tick, edition) = (snapshot.position(at: time).tick, snapshot.clock.edition)
            // On a busy machine a change is reported after the instant of its effect: values
            // read in between do not include it.
            let wasTold =
              edition == last.edition + 1 && snapshot.clock.startTime > last.time.reference
            if edition == last.edition || wasTold {
              if tick < last.tick { backward.add(1, ordering: .relaxed) }
              readings.add(1, ordering: .relaxed)
            }
            last = (time, tick, edition)
          }
        }
      }
      for step in 0..<40 {
        try clock.setTempoMap(.constant(step % 2 == 0 ? 400_000 : 500_000))
        usleep(7_000)
      }
      mustEnd.store(true, ordering: .relaxed)
      for thread in threads { thread.join() }
    }
    #expect(backward.load(ordering: .relaxed) == 0)
    #expect(readings.load(ordering: .relaxed) > 100)
    clock.end()
  }

  @Test func `the stream of events ends with the clock`() async throws {
    let clock = try Transport(clock())
    let begun = try clock.eventStream
    try clock.start(from: 0)
    clock.end()
    for await _ in begun {}
    for await _ in try clock.eventStream {}
  }
}
