// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// A sequence played through the real player, clock, scheduler and router into a recording sink.
final class PlayerRig {
  let player: MusicPlayer
  let sink = RecordingSink()
  let facts = RecordingSink()
  let scheduler: EventScheduler

  init(_ sequence: MusicSequence, startsAt tick: Tick? = .zero) throws {
    player = try MusicPlayer(sequence)
    let router = Router(sinks: [sink])
    router.addObserver(facts)
    scheduler = EventScheduler(
      clock: MusicClock(tempoMap: player.score.tempoMap), sources: [player], router: router)
    scheduler.lane.horizon = .milliseconds(100)
    if let tick { try scheduler.start(from: tick, at: .zero) }
  }

  /// Steps as a thread does, with the output at a position.
  func step(at nanoseconds: Int64) throws {
    try scheduler.step(at: ReferenceTime(nanoseconds: nanoseconds))
  }

  func replace(by sequence: MusicSequence, at time: Int64? = nil) throws {
    var score = try PlayerScore(sequence, after: player.score)
    try scheduler.interrupt(at: time.map(ReferenceTime.init(nanoseconds:))) {
      position, clock, buffer in
      try clock.setTempoMap(score.tempoMap, at: position.time)
      player.swap(&score, at: position, into: &buffer)
    }
  }

  /// The messages that the sink received, with their times.
  var heard: [Heard] {
    sink.events.compactMap { event in
      guard case .message(let message) = event.payload else { return nil }
      return Heard(time: event.time.nanoseconds, message: message)
    }
  }

  struct Heard: Equatable {
    let time: Int64
    let message: Message
  }
}

/// A random score of notes, controllers and tempo changes, 480 ticks a quarter.
func randomSequence(seed: UInt64, tracks: Int = 3, notes: Int = 120) throws -> MusicSequence {
  var generator = SplitMix(seed: seed)
  var sequence = MusicSequence()
  for index in 0..<tracks {
    var track = MusicTrack()
    let channel = Channel(index: UInt8(index * 3 % 16))
    for _ in 0..<notes {
      let tick = Tick(Int64.random(in: 0..<3840, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let number = Controller([1, 7, 10, 64][Int.random(in: 0..<4, using: &generator)])
        let value = UInt8.random(in: 0...127, using: &generator)
        try track.insert(.message(.control(channel, number, value: value)), at: tick)
      case 1:
        let value = UInt16.random(in: 0...16383, using: &generator)
        try track.insert(.message(.bend(channel, value)), at: tick)
      default:
        let key = Key(UInt8.random(in: 30...90, using: &generator))
        let length = Int64.random(in: 0...700, using: &generator)
        try track.insert(.note(Note(channel, key, velocity: 90, duration: length)), at: tick)
      }
    }
    sequence.tracks.append(track)
  }
  for (tick, length) in [(Tick(1000), 400_000), (Tick(2111), 611_111)] {
    let tempo = try #require(Tempo(microsecondsPerQuarter: length))
    try sequence.insertTempo(tempo, at: tick)
  }
  return sequence
}
