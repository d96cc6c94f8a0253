// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct TrackCursorTests {
  private let ghost = TrackEvent(.user([1]), at: 700)

  @Test(arguments: RandomScore.seeds)
  func `whatever is edited, every event is met once and in order`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    var cursor = TrackCursor(old)
    var met: [TrackEvent] = []
    var expected: [TrackEvent] = []
    while let event = cursor.next() {
      met.append(event)
      let tick = Tick(score.number(0...2500))
      switch score.number(0...5) {
      case 0: cursor.remove()
      case 1:
        cursor.move(to: tick)
        expected.append(TrackEvent(event.content, at: tick))
      case 2:
        let note = score.note()
        cursor.replace(with: note)
        expected.append(TrackEvent(note, at: event.tick))
      case 3:
        cursor.insertBefore(TrackEvent(ghost.content, at: event.tick))
        cursor.insertAfter(ghost)
        expected += [TrackEvent(ghost.content, at: event.tick), event, ghost]
      case 4:
        cursor.insertBefore(TrackEvent(ghost.content, at: tick))
        cursor.remove()
        expected.append(TrackEvent(ghost.content, at: tick))
      default: expected.append(event)
      }
    }
    #expect(met == old.all)
    let new = try cursor.finish()
    #expect(new.all == expected.inOrder)
  }

  @Test func `back and forth the edits are seen and nothing else`() throws {
    let track = try RandomScore.line(ticks: [0, 10, 20, 30], lasting: 5)
    var cursor = TrackCursor(track)
    #expect(cursor.current == nil)
    #expect(cursor.previous() == nil)
    #expect(cursor.next()?.tick == 0)
    #expect(cursor.next()?.tick == 10)
    cursor.move(to: 100)
    #expect(cursor.current?.tick == 100)
    #expect(cursor.next()?.tick == 20)
    cursor.remove()
    #expect(cursor.current == nil)
    #expect(cursor.previous()?.tick == 100)
    #expect(cursor.next()?.tick == 30)
    cursor.insertAfter(TrackEvent(.user([1]), at: 30))
    #expect(cursor.next() == nil)
    #expect(cursor.previous()?.tick == 30)
    #expect(cursor.previous()?.tick == 100)
    cursor.locate(to: 11)
    #expect(cursor.next()?.tick == 30)
    #expect(try cursor.finish().all.map(\.tick.value) == [0, 30, 30, 100])
  }

  @Test func `what is added before and after one event keeps the order of adding`() throws {
    var track = try RandomScore.line(ticks: [10], lasting: 5)
    try track.edit { cursor in
      while cursor.next() != nil {
        for byte in [1, 2] as [UInt8] {
          cursor.insertBefore(TrackEvent(.user([byte]), at: 10))
          cursor.insertAfter(TrackEvent(.user([byte + 2]), at: 10))
        }
      }
    }
    let users: [TrackEvent.Content] = track.all.map(\.content).filter { $0 != track.all[2].content }
    #expect(users == [1, 2, 3, 4].map { .user([$0]) })
    #expect(track.all[2].isNote)
  }

  @Test func `a range bounds the walk, and a throwing body edits nothing`() throws {
    var track = try RandomScore.line(ticks: [0, 10, 20, 30], lasting: 5)
    try track.edit(10..<30) { cursor in
      while cursor.next() != nil { cursor.remove() }
    }
    #expect(track.all.map(\.tick.value) == [0, 30])
    #expect(throws: SequenceError.self) {
      try track.edit { cursor in
        while cursor.next() != nil { cursor.move(to: -1) }
      }
    }
    #expect(track.all.map(\.tick.value) == [0, 30])
  }

  @Test func `a walk that edits nothing gives the bytes of the file back`() throws {
    let sequence = try SMFReader().read(SongBytes.notes(3, every: 480)).sequences[0]
    var cursor = TrackCursor(sequence.tracks[0])
    while cursor.next() != nil {}
    #expect(try cursor.finish().isUnedited)
  }
}
