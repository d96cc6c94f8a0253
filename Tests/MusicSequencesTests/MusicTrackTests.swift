// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct MusicTrackTests {
  private let one = Channel(index: 0)

  private func note(_ key: UInt8 = 60, lasting duration: Int64 = 480) -> TrackEvent.Content {
    .note(Note(one, Key(key), duration: duration))
  }

  @Test func `eight one-beat notes are eight beats long, whatever the explicit length`() throws {
    var track = MusicTrack()
    for beat in 0..<8 { try track.insert(note(), at: Tick(Int64(beat) * 480)) }
    #expect(track.length == 3840)
    track.explicitLength = 1920
    #expect(track.length == 3840)
    track.explicitLength = nil
    track.remove(at: 7)
    #expect(track.length == 3360)
    track.explicitLength = 3840
    track.remove(at: 6)
    #expect(track.length == 3840)
  }

  @Test func `an explicit length stands in an empty track`() {
    var track = MusicTrack()
    track.explicitLength = 960
    #expect(track.length == 960)
    #expect(track.isEmpty)
  }

  @Test func `events of one tick keep the order in which they were added`() throws {
    var track = MusicTrack()
    for key: UInt8 in [60, 40, 90, 60] { try track.insert(note(key), at: 7) }
    try track.insert(note(1), at: 3)
    #expect(track.events.map(\.tick) == [3, 7, 7, 7, 7])
    let keys = track.events.compactMap { event -> UInt8? in
      guard case .note(let note) = event.content else { return nil }
      return note.key.number
    }
    #expect(keys == [1, 60, 40, 90, 60])
  }

  @Test func `every kind of event is returned as it was inserted`() throws {
    let contents: [TrackEvent.Content] = [
      .note(Note(Channel(index: 9), Key(36), velocity: 1, duration: 0, releaseVelocity: nil)),
      .note(Note(one, Key(127), velocity: 127, duration: 4_294_967_294, releaseVelocity: 0)),
      .message(.program(one, 3)), .message(.noteOff(one, Key(3), velocity: 9)),
      .sysEx([0x7E, 0xF7]), .sysEx([]), .packet([1, 2]), .meta(.text("la", type: .lyric)),
      .parameter(ParameterEvent(parameter: 7, scope: 1, element: 2, value: -0.5, isRamp: true)),
      .user([0, 255]), .user([]),
    ]
    var track = MusicTrack()
    for content in contents { try track.insert(content, at: 5) }
    #expect(track.events.map(\.content) == contents)
  }

  @Test func `what a field cannot hold is refused and changes nothing`() throws {
    let refused: [TrackEvent] = [
      TrackEvent(note(), at: -1), TrackEvent(note(), at: Tick(1 << 48)),
      TrackEvent(note(lasting: -1), at: 0), TrackEvent(note(lasting: 1 << 32), at: 0),
      TrackEvent(.note(Note(one, Key(1), velocity: 0, duration: 1)), at: 0),
      TrackEvent(.note(Note(one, Key(1), velocity: 128, duration: 1)), at: 0),
      TrackEvent(.message(.noteOn(one, Key(1), velocity: 1)), at: 0),
      TrackEvent(.message(Message(status: 0xF8)), at: 0),
      TrackEvent(.message(Message(status: 0xB0, data1: 200)), at: 0),
      TrackEvent(.meta(MetaEvent(type: 0x2F, bytes: [])), at: 0),
      TrackEvent(.meta(MetaEvent(type: 0x80, bytes: [])), at: 0),
    ]
    var track = MusicTrack()
    for event in refused {
      #expect(throws: SequenceError.self) { try track.insert(event) }
      #expect(throws: SequenceError.self) {
        try track.insert(contentsOf: [TrackEvent(note(), at: 0), event])
      }
    }
    #expect(track.isEmpty)
  }

  @Test func `random edits of a long track do what they do to a plain list`() throws {
    var generator = SplitMix(seed: 3)
    var track = MusicTrack()
    var model: [TrackEvent] = []
    let batch = (0..<4000).map { _ in
      TrackEvent(note(UInt8.random(in: 0...127, using: &generator)), at: tick(using: &generator))
    }
    try track.insert(contentsOf: batch)
    model = stablySorted(batch)
    let held = track
    let heldModel = model
    for step in 0..<3000 {
      if step % 3 == 2 {
        let index = Int.random(in: 0..<model.count, using: &generator)
        #expect(track.remove(at: index) == model.remove(at: index))
      } else {
        let event = TrackEvent(
          note(UInt8.random(in: 0...127, using: &generator)), at: tick(using: &generator))
        let index = model.firstIndex { $0.tick > event.tick } ?? model.count
        model.insert(event, at: index)
        #expect(try track.insert(event) == index)
      }
    }
    #expect(Array(track.events) == model)
    #expect(Array(held.events) == heldModel)
    for sample: Int64 in [0, 1, 250, 499, 500, 600] {
      let expected = model.firstIndex { $0.tick.value >= sample } ?? model.count
      #expect(track.firstIndex(atOrAfter: Tick(sample)) == expected)
    }
  }

  private func tick(using generator: inout SplitMix) -> Tick {
    Tick(Int64.random(in: 0..<500, using: &generator))
  }

  private func stablySorted(_ events: [TrackEvent]) -> [TrackEvent] {
    events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }.map(\.element)
  }

  @Test func `removing while going backwards, or staying in place, skips nothing`() throws {
    var track = MusicTrack()
    for index in 0..<3000 { try track.insert(note(UInt8(index & 1)), at: Tick(Int64(index))) }
    var index = 0
    while index < track.count {
      guard case .note(let note) = track.events[index].content, note.key.number == 0 else {
        index += 1
        continue
      }
      track.remove(at: index)
    }
    #expect(track.count == 1500)
    #expect(track.events.allSatisfy { $0.tick.value % 2 == 1 })
  }

  @Test func `replacing an event moves it to its own tick`() throws {
    var track = MusicTrack()
    for beat: Int64 in 0..<4 { try track.insert(note(UInt8(beat)), at: Tick(beat * 10)) }
    #expect(try track.replace(at: 1, with: TrackEvent(note(9), at: 35)) == 3)
    #expect(track.events.map(\.tick) == [0, 20, 30, 35])
    #expect(try track.replace(at: 0, with: TrackEvent(note(8), at: 0)) == 0)
  }
}
