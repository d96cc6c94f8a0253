// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Counts what the event thread would allocate; in the steady state it must be nothing.
///
/// An unoptimised build boxes what it calls through protocols: `make test-long` runs it.
@Suite(
  .enabled(if: isOptimized, "an unoptimised build allocates for calls through protocols"),
  .enabled(if: callocationcounter_works(), "a sanitizer has an allocator of its own"))
struct EventThreadAllocationTests {
  /// Takes everything and keeps nothing.
  private final class CountingSink: EventSink {
    var count = 0

    func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
      count += events.count
      return events.count
    }

    func cancel(from time: ReferenceTime) {}
  }

  @Test func `two thousand steps with loops and two sinks allocate and lock nothing`() throws {
    var sequence = try randomSequence(seed: 2, notes: 300)
    sequence.tracks[1].settings.loop = TrackSettings.Loop(length: 480)
    try sequence.tracks[0].insert(.sysEx([0x7E, 0x7F, 9, 1, 0xF7]), at: 500)
    let player = try MusicPlayer(sequence)
    let sinks = [CountingSink(), CountingSink()]
    let router = Router()
    var transform = MessageTransform()
    transform.transposition = 3
    router.addRoute(Route(to: router.addDestination(sinks[0])))
    router.addRoute(Route(to: router.addDestination(sinks[1]), transform: transform))
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: player.score.tempoMap), sources: [player], router: router)
    scheduler.lane.horizon = .milliseconds(100)
    try scheduler.start(from: 0)
    try scheduler.setLoop(LoopRange(start: 480, end: 1440))
    for step in 0..<1000 {
      try scheduler.step(at: ReferenceTime(nanoseconds: Int64(step) * 5_000_000))
    }
    let before = sinks.map(\.count)
    callocationcounter_begin()
    for step in 1000..<3000 {
      try scheduler.step(at: ReferenceTime(nanoseconds: Int64(step) * 5_000_000))
    }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
    #expect(zip(sinks, before).allSatisfy { $0.count > $1 + 500 })
  }
}

#if DEBUG
  private let isOptimized = false
#else
  private let isOptimized = true
#endif
