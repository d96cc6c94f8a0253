// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport
import Testing

/// Iterators, also on tracks that are edited meanwhile.
@Suite struct MusicEventIteratorTests {
  private let sequence = TestSequence(tracks: 1)
  private var track: MusicTrack? { sequence.tracks[0] }

  private func iterator() -> MusicEventIterator? {
    var iterator: MusicEventIterator?
    NewMusicEventIterator(track, &iterator)
    return iterator
  }

  private func has(
    _ iterator: MusicEventIterator?
  ) -> (previous: Bool, current: Bool, next: Bool) {
    var (previous, current, next): (DarwinBoolean, DarwinBoolean, DarwinBoolean) = (
      false, false, false
    )
    MusicEventIteratorHasPreviousEvent(iterator, &previous)
    MusicEventIteratorHasCurrentEvent(iterator, &current)
    MusicEventIteratorHasNextEvent(iterator, &next)
    return (previous.boolValue, current.boolValue, next.boolValue)
  }

  @Test func `on an empty track an iterator does not have an event`() {
    let iterator = iterator()
    #expect(has(iterator) == (false, false, false))
    #expect(MusicEventIteratorNextEvent(iterator) == -10857)
    #expect(MusicEventIteratorPreviousEvent(iterator) == -10856)
    #expect(MusicEventIteratorGetEventInfo(iterator, nil, nil, nil, nil) == -10857)
    #expect(MusicEventIteratorDeleteEvent(iterator) == -10857)
    DisposeMusicEventIterator(iterator)
  }

  @Test func `steps move behind the last event and back to the first`() {
    for time in 0..<3 { addNote(track, 60, at: Double(time)) }
    let iterator = iterator()
    #expect(has(iterator) == (false, true, true))
    #expect(MusicEventIteratorPreviousEvent(iterator) == -10856)
    for _ in 0..<3 { #expect(MusicEventIteratorNextEvent(iterator) == noErr) }
    #expect(has(iterator) == (true, false, false))
    #expect(MusicEventIteratorNextEvent(iterator) == -10857)
    #expect(MusicEventIteratorPreviousEvent(iterator) == noErr)
    #expect(current(iterator)?.time == 2)
    #expect(has(iterator) == (true, true, false))
    DisposeMusicEventIterator(iterator)
  }

  @Test func `seeking finds the first event at or after a time`() {
    for time in [0.5, 1, 1, 2] { addNote(track, 60, at: time) }
    let iterator = iterator()
    for (time, found) in [(0, 0.5), (1, 1), (1.5, 2), (-1, 0.5)] {
      #expect(MusicEventIteratorSeek(iterator, time) == noErr)
      #expect(current(iterator)?.time == found)
    }
    MusicEventIteratorSeek(iterator, kMusicTimeStamp_EndOfTrack)
    #expect(has(iterator) == (true, false, false))
    #expect(MusicEventIteratorSeek(iterator, .nan) == -50)
    DisposeMusicEventIterator(iterator)
  }

  @Test func `after a deletion the iterator is on the next event`() {
    for time in 0..<1500 { addNote(track, UInt8(time % 2), at: Double(time)) }
    let iterator = iterator()
    while let event = current(iterator) {
      if event.note.note == 0 {
        MusicEventIteratorDeleteEvent(iterator)
      } else {
        MusicEventIteratorNextEvent(iterator)
      }
    }
    #expect(events(track).count == 750)
    #expect(events(track).allSatisfy { $0.note.note == 1 })
    DisposeMusicEventIterator(iterator)
  }

  @Test func `a new time moves the iterator with its event, and a new struct keeps the time`() {
    for time in 0..<3 { addNote(track, UInt8(time), at: Double(time)) }
    let iterator = iterator()
    #expect(MusicEventIteratorSetEventTime(iterator, 1) == noErr)
    #expect(current(iterator)?.note.note == 0 && current(iterator)?.time == 1)
    #expect(events(track).map(\.note.note) == [1, 0, 2])
    var tempo = 90.0
    #expect(
      MusicEventIteratorSetEventInfo(iterator, kMusicEventType_ExtendedTempo, &tempo) == noErr)
    #expect(current(iterator)?.time == 1 && current(iterator)?.bpm == 90)
    #expect(MusicEventIteratorSetEventInfo(iterator, 0, &tempo) == -10853)
    #expect(MusicEventIteratorSetEventInfo(iterator, 99, &tempo) == -10853)
    #expect(MusicEventIteratorSetEventTime(iterator, -1) == -50)
    DisposeMusicEventIterator(iterator)
  }

  @Test func `an iterator stays on its event while other functions edit the track`() {
    for time in [1.0, 2, 2, 2, 3] { addNote(track, UInt8(events(track).count), at: time) }
    let (first, second) = (iterator(), iterator())
    for _ in 0..<2 { MusicEventIteratorNextEvent(first) }
    #expect(current(first)?.note.note == 2)
    addNote(track, 99, at: 0)
    MusicTrackClear(track, 1, 1.5)
    #expect(current(first)?.note.note == 2)
    MusicEventIteratorSeek(second, 2)
    MusicEventIteratorDeleteEvent(second)
    #expect(current(first)?.note.note == 2 && current(second)?.note.note == 2)
    MusicEventIteratorDeleteEvent(second)
    #expect(current(first)?.note.note == 3)
    MusicTrackClear(track, 0, kMusicTimeStamp_EndOfTrack)
    #expect(has(first) == (false, false, false))
    for iterator in [first, second] { DisposeMusicEventIterator(iterator) }
  }

  @Test func `a struct is valid until the track changes, also without its iterator`() {
    for time in 0..<600 { addNote(track, UInt8(time % 128), at: Double(time)) }
    var pointers: [UnsafeRawPointer] = []
    let iterator = iterator()
    var data: UnsafeRawPointer?
    while MusicEventIteratorGetEventInfo(iterator, nil, nil, &data, nil) == noErr {
      pointers.append(data!)
      MusicEventIteratorNextEvent(iterator)
    }
    DisposeMusicEventIterator(iterator)
    #expect(
      pointers.map { $0.load(as: MIDINoteMessage.self).note } == (0..<600).map { UInt8($0 % 128) })
  }

  @Test func `ten thousand edits in random order leave a track in order`() {
    var random = SplitMix(seed: 7)
    var expected: [(time: Double, key: UInt8)] = []
    let iterator = iterator()
    for _ in 0..<10_000 {
      let time = Double(Int.random(in: 0..<400, using: &random)) / 4
      if Int.random(in: 0..<3, using: &random) > 0 {
        let key = UInt8.random(in: 0...127, using: &random)
        addNote(track, key, at: time)
        expected.insert((time, key), at: expected.firstIndex { $0.time > time } ?? expected.count)
      } else {
        MusicEventIteratorSeek(iterator, time)
        MusicEventIteratorDeleteEvent(iterator)
        if let index = expected.firstIndex(where: { $0.time >= time }) {
          expected.remove(at: index)
        }
      }
    }
    let found = events(track)
    #expect(found.map(\.time) == expected.map(\.time))
    #expect(found.map(\.note.note) == expected.map(\.key))
    DisposeMusicEventIterator(iterator)
  }
}
