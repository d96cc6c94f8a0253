// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import Realtime
import TestSupport
import Testing

/// A transport that counts frames, controlled by a test.
@Suite struct FrameMasterTests {
  private final class Owner: Sendable {
    let frames = Snapshot(RollingFrames.standing(at: .hertz48000))
  }

  private let owner = Owner()
  private let sink = RecordingSink()
  private let scheduler: EventScheduler
  /// The number of moves for which the song was ready.
  private let ready = Counter()

  private final class Counter: @unchecked Sendable {
    // Unchecked: only the test's thread uses it.
    var moves: UInt32 = 0
  }

  /// A message every 120 ticks of a song at 120 quarter notes per minute: 6,000 frames.
  init() {
    let map = TempoMap(ppqn: .standard)
    let ready = ready
    scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: 120)],
      router: Router(sinks: [sink]))
    scheduler.lane.master = ExternalClock(
      following: .jack(
        FrameFollower(owner.frames.reader, keeping: owner) { ready.moves = $0 }), tempoMap: map)
  }

  /// Sets position, start and the time of frame 0; and steps.
  private func step(
    _ motion: RollingFrames.Motion, at frame: Int64, since start: Int64, moves: UInt32,
    now: Int64, output: RollingFrames.OutputPlace? = nil
  ) throws {
    let rate = SampleRate.hertz48000
    let passed = rate.timeRoundedUp(of: SampleTime(frames: frame)).nanoseconds
    owner.frames.write(
      RollingFrames(
        motion: motion, frame: frame, start: start,
        line: Timeline(
          countOrigin: 0, scaledOrigin: Int128(now - passed) * 3, numerator: 62_500,
          denominator: 3),
        rate: rate, moves: moves, beats: nil, isThere: true, output: output))
    try scheduler.step(at: ReferenceTime(nanoseconds: now))
  }

  @Test func `a rolling transport is followed from its start, without gaps`()
    throws
  {
    try step(.stopped, at: 192_000, since: 192_000, moves: 1, now: 1_000_000_000)
    // 40 ms, and then 900 ms, without a step: half of it is after the first message.
    try step(.rolling, at: 193_920, since: 192_000, moves: 1, now: 1_040_000_000)
    #expect(sink.events.first?.index == 32)
    try step(.stopped, at: 240_000, since: 240_000, moves: 2, now: 2_000_000_000)
    let before = sink.events.count
    try step(.rolling, at: 283_200, since: 240_000, moves: 2, now: 2_900_000_000)
    #expect(sink.events.dropFirst(before).prefix(8).map(\.index) == Array(40..<48))
  }

  @Test func `one that has rolled for over a second is followed from its position`() throws {
    try step(.rolling, at: 960_000, since: 0, moves: 0, now: 1_000_000_000)
    #expect(sink.events.first?.index == 160)
  }

  @Test func `it is ready a step after all events were sent`() throws {
    let place = RollingFrames.OutputPlace(frame: 48_512, standing: 48_000)
    try step(.stopped, at: 0, since: 0, moves: 0, now: 990_000_000)
    try step(
      .starting, at: 12_000, since: 12_000, moves: 1, now: 1_000_000_000, output: place)
    #expect(ready.moves == 0)
    // Frame 12,000 is the output's frame 48,512.
    let time = SampleRate.hertz48000.timeRoundedUp(of: SampleTime(frames: 48_512))
    #expect(sink.events.map(\.time) == [time])
    #expect(sink.events.map(\.index) == [2])
    try step(
      .starting, at: 12_000, since: 12_000, moves: 1, now: 1_000_000_000, output: place)
    #expect(ready.moves == 1)
    #expect(sink.events.count == 1)
  }
}
