// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct SequenceCursorTests {
  private let one = Channel(index: 0)

  private func track(_ events: [TrackEvent]) throws -> MusicTrack {
    var track = MusicTrack()
    try track.insert(contentsOf: events)
    return track
  }

  private func note(_ key: UInt8, at tick: Int64, lasting duration: Int64) -> TrackEvent {
    TrackEvent(.note(Note(one, Key(key), duration: duration)), at: Tick(tick))
  }

  private func all(
    _ sequence: MusicSequence, from: Tick = 0, releasesEarlierNotes: Bool = false
  ) -> [CursorEvent] {
    var cursor = SequenceCursor(sequence, from: from, releasesEarlierNotes: releasesEarlierNotes)
    var events: [CursorEvent] = []
    while let event = cursor.next(before: Tick(.max)) { events.append(event) }
    return events
  }

  /// A short form of an event: tick, and status with first data byte or the kind.
  private func short(_ event: CursorEvent) -> String {
    switch event.kind {
    case .message(let message):
      "\(event.tick.value) \(String(message.status, radix: 16)) \(message.data1)"
    case .sysEx(let range): "\(event.tick.value) sysex \(range.count)"
    case .packet(let range): "\(event.tick.value) packet \(range.count)"
    case .meta(let type, _): "\(event.tick.value) meta \(type)"
    case .parameter: "\(event.tick.value) parameter"
    case .user: "\(event.tick.value) user"
    }
  }

  @Test func `a track keeps its order at one tick, after the settings of other tracks`() throws {
    var sequence = MusicSequence()
    let program = TrackEvent(.message(.program(one, 5)), at: 10)
    let user = TrackEvent(.user([1]), at: 10)
    let lyric = TrackEvent(.meta(.text("la", type: .lyric)), at: 10)
    sequence.tracks = [
      try track([user, note(60, at: 0, lasting: 10), note(62, at: 10, lasting: 5), lyric]),
      try track([program, TrackEvent(.sysEx([0x7E, 0x7F, 9, 1, 0xF7]), at: 10)]),
    ]
    #expect(
      all(sequence).map(short) == [
        "0 90 60", "10 80 60", "10 user", "10 c0 5", "10 sysex 4", "10 90 62", "10 meta 5",
        "15 80 62",
      ])
  }

  @Test func `a note without length ends right after it begins`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try track([note(60, at: 4, lasting: 0), note(64, at: 4, lasting: 3)])]
    #expect(all(sequence).map(short) == ["4 90 60", "4 80 60", "4 90 64", "7 80 64"])
  }

  @Test func `a window cut in pieces gives the same events`() throws {
    var generator = SplitMix(seed: 7)
    var sequence = MusicSequence()
    for _ in 0..<5 {
      let events = (0..<200).map { _ in
        note(
          UInt8.random(in: 30...90, using: &generator),
          at: Int64.random(in: 0..<400, using: &generator),
          lasting: Int64.random(in: 0..<50, using: &generator))
      }
      sequence.tracks.append(try track(events))
    }
    let whole = all(sequence)
    #expect(whole.count == 2000)
    var cursor = SequenceCursor(sequence)
    var pieces: [CursorEvent] = []
    var limit: Int64 = 0
    while limit < 600 {
      limit += Int64.random(in: 0..<9, using: &generator)
      while let event = cursor.next(before: Tick(limit)) {
        #expect(event.tick < Tick(limit))
        pieces.append(event)
      }
    }
    #expect(pieces == whole)
    #expect(zip(whole, whole.dropFirst()).allSatisfy { $0.tick <= $1.tick })
  }

  @Test func `a cursor from a tick begins there, and can end earlier notes`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [
      try track([
        note(60, at: 0, lasting: 8), note(61, at: 0, lasting: 20), note(62, at: 8, lasting: 1),
      ])
    ]
    #expect(all(sequence, from: 8).map(short) == ["8 90 62", "9 80 62"])
    #expect(
      all(sequence, from: 8, releasesEarlierNotes: true).map(short)
        == ["8 80 60", "8 90 62", "9 80 62", "20 80 61"])
  }

  @Test func `an edit after the cursor was made does not reach it`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try track([note(60, at: 0, lasting: 8), note(61, at: 9, lasting: 1)])]
    var cursor = SequenceCursor(sequence)
    _ = cursor.next(before: 5)
    sequence.tracks[0].remove(at: 1)
    var rest: [String] = []
    while let event = cursor.next(before: 100) { rest.append(short(event)) }
    #expect(rest == ["8 80 60", "9 90 61", "10 80 61"])
  }

  @Test func `the next tick is the tick of the next event`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try track([note(60, at: 3, lasting: 8)])]
    var cursor = SequenceCursor(sequence)
    #expect(cursor.nextTick == 3)
    #expect(cursor.next(before: 3) == nil)
    _ = cursor.next(before: 4)
    _ = cursor.next(before: 4)
    #expect(cursor.nextTick == 11)
    _ = cursor.next(before: 12)
    #expect(cursor.next(before: 12) == nil)
    #expect(cursor.nextTick == nil)
  }

  @Test func `a cluster of hundreds of notes ends in order of tick, then of beginning`() throws {
    var generator = SplitMix(seed: 9)
    var sequence = MusicSequence()
    var cluster = MusicTrack()
    for index in 0..<600 {
      let duration = Int64.random(in: 1..<40, using: &generator)
      let channel = Channel(index: UInt8(index & 15))
      let note = Note(channel, Key(UInt8(index >> 4)), duration: duration)
      try cluster.insert(.note(note), at: Tick(Int64(index / 100)))
    }
    sequence.tracks = [cluster]
    let releases = all(sequence).filter {
      guard case .message(let message) = $0.kind else { return false }
      return message.status & 0xF0 == 0x80
    }
    #expect(releases.count == 600)
    for (left, right) in zip(releases, releases.dropFirst()) {
      #expect((left.tick, left.index) < (right.tick, right.index))
    }
  }
}
