// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback

/// Seeks and steps of a player in a song of ten million events, half of them notes.
let playSuite = Suite("play") {
  let song = try PlayedSong(events: 10_000_000)
  return [song.prepare, song.seeks(50), song.steps(2_000), song.playThrough]
}

/// A song of sixteen long tracks, ready to be played.
private struct PlayedSong: Sendable {
  private static let controllers = [1, 7, 10, 11, 64].map { Controller(UInt8($0)) }

  private let sequence: MusicSequence
  private let score: PlayerScore
  private let length: Int64

  init(events: Int) throws {
    var sequence = MusicSequence()
    let count = Int64(events / 16)
    for channel in 0..<UInt8(16) {
      var track = MusicTrack()
      try track.insert(
        contentsOf: (0..<count).map { index in
          let tick = Tick(index * 7)
          let value = UInt8(truncatingIfNeeded: index & 127)
          return index % 2 == 0
            ? TrackEvent(
              .note(Note(Channel(index: channel), Key(36 + value / 2), duration: 100)), at: tick)
            : TrackEvent(
              .message(
                .control(
                  Channel(index: channel), Self.controllers[Int(index / 2 % 5)], value: value)),
              at: tick)
        })
      sequence.tracks.append(track)
    }
    self.sequence = sequence
    score = try PlayerScore(sequence)
    length = count * 7
  }

  var prepare: Benchmark {
    Benchmark("prepare a score", "events", count: 10_000_000) {
      Int64(try PlayerScore(sequence).sequence.tracks.count)
    }
  }

  /// Locates across the whole song while it plays: releases, chase and first window included.
  func seeks(_ count: Int) -> Benchmark {
    Benchmark("seek, 10 M events", "seeks", count: count) {
      let sink = CountingSink()
      let scheduler = try scheduler(to: sink)
      for index in 0..<count {
        let time = HostTime(nanoseconds: Int64(index) * 10_000_000)
        scheduler.look(at: time)
        try scheduler.locate(to: Tick(Int64(index) * 7919 * 4001 % length))
        try scheduler.step(at: time)
      }
      return Int64(sink.count)
    }
  }

  /// Steps of 5 ms, some 2,200 events a second.
  func steps(_ count: Int) -> Benchmark {
    Benchmark("step, 10 M events", "steps", count: count) {
      let sink = CountingSink()
      let scheduler = try scheduler(to: sink)
      for index in 0..<count {
        try scheduler.step(at: HostTime(nanoseconds: Int64(index) * 5_000_000))
      }
      return Int64(sink.count)
    }
  }

  /// From the start to the end: what a seek without an index would do for the last event.
  var playThrough: Benchmark {
    Benchmark("play through, 10 M events", "songs", count: 1) {
      let sink = CountingSink()
      let scheduler = try scheduler(to: sink)
      var time: Int64 = 0
      while !scheduler.isFinished {
        try scheduler.step(at: HostTime(nanoseconds: time))
        time += 20_000_000
      }
      return Int64(sink.count)
    }
  }

  private func scheduler(to sink: CountingSink) throws -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: score.tempoMap), sources: [MusicPlayer(score)],
      router: Router(sinks: [sink]))
    try scheduler.start(at: 0)
    return scheduler
  }
}

/// Takes everything and keeps nothing.
private final class CountingSink: EventSink {
  var count = 0

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    count += events.count
    return events.count
  }

  func cancel(from time: HostTime) {}
}
