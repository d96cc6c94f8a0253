// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Loops written out as events, against what a player makes of the loops themselves.
@Suite struct LoopWritingTests {
  /// A name, a controller, three notes of which one reaches past the end, in 960 ticks.
  private static func track(loop: Int64, count: Int, offset: Int64 = 0) throws -> MusicTrack {
    var track = MusicTrack()
    try track.insert(.meta(MetaEvent(type: 3, bytes: Array("drone".utf8))), at: 0)
    try track.insert(.message(.control(1, .volume, value: 90)), at: 0)
    for (key, tick) in [(60, 0), (64, 480), (67, 900)] as [(UInt8, Int64)] {
      try track.insert(.note(Note(1, Key(key), duration: 240)), at: Tick(tick))
    }
    try track.insert(.sysEx([0x7D, 1, 0xF7]), at: 600)
    track.explicitLength = 960
    track.settings.loop = TrackSettings.Loop(length: loop, count: count)
    track.settings.offset = offset
    return track
  }

  /// The messages that are sent before a tick, with their ticks, in order.
  private static func sound(_ track: MusicTrack, upTo end: Tick) -> [String] {
    var sequence = MusicSequence()
    sequence.tracks = [track]
    var cursor = SequenceCursor(playing: sequence)
    var sound: [String] = []
    while let event = cursor.next(before: end) {
      switch event.kind {
      case .message(let message): sound.append("\(event.tick.value) \(message)")
      case .sysEx(let range): sound.append("\(event.tick.value) \(track.payload(range))")
      default: break
      }
    }
    return sound
  }

  @Test(arguments: [(960, 3, 0), (480, 5, 0), (100, 2, -120), (1500, 4, 7), (960, 1, 0)])
  func `a loop written out sounds the same`(loop: Int64, count: Int, offset: Int64) throws {
    let looped = try Self.track(loop: loop, count: count, offset: offset)
    var written = looped
    try written.writeOutLoop()
    #expect(written.settings.loop == nil)
    #expect(written.settings.offset == offset)
    let end = Tick(20_000)
    // A payload that is sent is compared by its bytes: both tracks keep it at one place.
    #expect(Self.sound(written, upTo: end) == Self.sound(looped, upTo: end))
    #expect(
      written.events.filter { $0.content == .meta(MetaEvent(type: 3, bytes: Array("drone".utf8))) }
        .count == 1)
  }

  @Test func `the length is that of all passes`() throws {
    var track = try Self.track(loop: 480, count: 4)
    track.explicitLength = 1200
    try track.writeOutLoop()
    #expect(track.explicitLength == Tick(1200 + 3 * 480))
  }

  @Test func `an endless loop needs an end, and has what begins before it`() throws {
    var track = try Self.track(loop: 960, count: 0)
    let before = track.count
    #expect(throws: SequenceError.self) { try track.writeOutLoop() }
    #expect(track.count == before)
    let looped = track
    try track.writeOutLoop(until: 5000)
    #expect(track.explicitLength == 5000)
    #expect(Self.sound(track, upTo: 5000) == Self.sound(looped, upTo: 5000))
    #expect(track.events.allSatisfy { $0.tick < 5000 })
  }

  @Test func `endless loops of a sequence end with its other tracks`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [
      try Self.track(loop: 960, count: 3), try Self.track(loop: 480, count: 0, offset: 100),
    ]
    sequence.tracks[0].explicitLength = 1200
    try sequence.writeOutLoops()
    #expect(sequence.tracks.allSatisfy { $0.settings.loop == nil })
    #expect(sequence.tracks[0].length == Tick(1200 + 2 * 960))
    #expect(sequence.tracks[1].explicitLength == Tick(1200 + 2 * 960 - 100))
    var alone = MusicSequence()
    alone.tracks = [try Self.track(loop: 960, count: 0)]
    #expect(throws: SequenceError.self) { try alone.writeOutLoops() }
    #expect(throws: SequenceError.self) { try alone.writeOutLoops(in: .track(1)) }
    try alone.writeOutLoops(until: 2000)
    #expect(alone.tracks[0].explicitLength == 2000)
  }

  @Test func `a loop that would never end is refused, and soon`() throws {
    var track = try Self.track(loop: 300, count: .max)
    let (old, count) = (track.settings, track.count)
    #expect(throws: SequenceError.self) { try track.writeOutLoop() }
    #expect(track.settings == old)
    #expect(track.count == count)
  }
}
