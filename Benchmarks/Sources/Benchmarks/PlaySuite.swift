// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback

/// Seeks and steps of a player in songs of which half is notes: what a seek takes is to depend
/// little on how long the song is.
let playSuite = Suite("play") {
  let (long, short) = (try PlayedSong(millions: 10), try PlayedSong(millions: 1))
  return [long.prepare, long.seeks(50), short.seeks(50), long.steps(2_000)]
}

/// A song of sixteen long tracks, ready to be played.
private struct PlayedSong: Sendable {
  private static let controllers = [1, 7, 10, 11, 64].map { Controller(UInt8($0)) }

  private let sequence: MusicSequence
  private let score: PlayerScore
  private let length: Int64
  private let name: String

  init(millions: Int) throws {
    var sequence = MusicSequence()
    let count = Int64(millions * 1_000_000 / 16)
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
    name = "\(millions) M events"
  }

  var prepare: Benchmark {
    Benchmark("prepare, \(name)", "songs", count: 1) {
      Int64(try PlayerScore(sequence).sequence.tracks.count)
    }
  }

  /// Locates across the whole song while it plays: releases, chase and first window included.
  func seeks(_ count: Int) -> Benchmark {
    Benchmark("seek, \(name)", "seeks", count: count) {
      let sink = CountingSink()
      let scheduler = try scheduler(to: sink)
      for index in 0..<count {
        let time = ReferenceTime(nanoseconds: Int64(index) * 10_000_000)
        scheduler.look(at: time)
        try scheduler.locate(to: Tick(Int64(index) * 7919 * 4001 % length))
        try scheduler.step(at: time)
      }
      return Int64(sink.count)
    }
  }

  /// Steps of 5 ms, some 2,200 events a second.
  func steps(_ count: Int) -> Benchmark {
    Benchmark("step, \(name)", "steps", count: count) {
      let sink = CountingSink()
      let scheduler = try scheduler(to: sink)
      for index in 0..<count {
        try scheduler.step(at: ReferenceTime(nanoseconds: Int64(index) * 5_000_000))
      }
      return Int64(sink.count)
    }
  }

  private func scheduler(to sink: CountingSink) throws -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: score.tempoMap), sources: [MusicPlayer(score)],
      router: Router(sinks: [sink]))
    try scheduler.start(from: 0)
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

  func cancel(from time: ReferenceTime) {}
}
