// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// The end of a song's sound, with a note from tick 480 to 960 and an end of track at 9600.
@Suite struct SoundingLengthTests {
  private let channel = Channel(index: 3)

  private func track(_ events: [(Int64, TrackEvent.Content)]) throws -> MusicTrack {
    var track = MusicTrack()
    for (tick, content) in events { try track.insert(content, at: Tick(tick)) }
    track.explicitLength = Tick(9600)
    return track
  }

  private func length(_ tracks: [[(Int64, TrackEvent.Content)]]) throws -> Tick {
    var sequence = MusicSequence()
    sequence.tracks = try tracks.map(track)
    return sequence.soundingLength
  }

  private var note: (Int64, TrackEvent.Content) {
    (480, .note(Note(channel, Key(60), duration: 480)))
  }

  private func control(
    _ tick: Int64, _ number: UInt8, _ value: UInt8
  ) -> (Int64, TrackEvent.Content) {
    (tick, .message(.control(channel, Controller(number), value: value)))
  }

  @Test func `it ends with the last note, not with later events`() throws {
    let late: [(Int64, TrackEvent.Content)] = [
      (4000, .meta(.text("fine", type: .text))), control(5000, 7, 0), control(6000, 64, 127),
    ]
    #expect(try length([[note] + late]) == Tick(960))
    #expect(try length([[note], late]) == Tick(960))
  }

  @Test func `a tempo after the last note adds nothing`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try track([note])]
    try sequence.setTempo(Tempo(tenNanosecondsPerQuarter: 40_000_00) ?? .standard, at: Tick(8000))
    #expect(sequence.soundingLength == Tick(960))
    #expect(sequence.length == Tick(9600))
  }

  @Test(arguments: [64, 66, 69] as [UInt8])
  func `a pedal holds the last note until it is lifted`(pedal: UInt8) throws {
    #expect(try length([[note, control(700, pedal, 127), control(3000, pedal, 0)]]) == Tick(3000))
    #expect(
      try length([[note], [control(700, pedal, 127), control(3000, pedal, 0)]]) == Tick(3000))
    #expect(try length([[note, control(700, pedal, 127)]]) == Tick(9600))
    #expect(try length([[note, control(700, pedal, 127), control(800, pedal, 0)]]) == Tick(960))
  }

  @Test func `reset all controllers lifts a pedal`() throws {
    #expect(try length([[note, control(700, 64, 127), control(2000, 121, 0)]]) == Tick(2000))
  }

  @Test func `sostenuto holds only what sounded when it went down`() throws {
    #expect(try length([[note, control(100, 66, 127), control(3000, 66, 0)]]) == Tick(960))
  }

  @Test func `a pedal of another channel holds nothing`() throws {
    let other = TrackEvent.Content.message(
      .control(Channel(index: 4), Controller(64), value: 127))
    #expect(try length([[note, (600, other)]]) == Tick(960))
  }

  @Test func `the SysEx message behind the last note is still sent`() throws {
    #expect(try length([[note, (2000, .sysEx([0x7E, 0x7F, 9, 1, 0xF7]))]]) == Tick(2000))
  }

  @Test func `without notes, or with tracks that loop, it is the length`() throws {
    #expect(try length([[control(100, 7, 3)]]) == Tick(9600))
    var sequence = MusicSequence()
    sequence.tracks = [try track([note])]
    sequence.tracks[0].settings.loop = TrackSettings.Loop(length: 480)
    #expect(sequence.soundingLength == sequence.length)
  }

  @Test func `an offset moves the end`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try track([note])]
    sequence.tracks[0].settings.offset = 100
    #expect(sequence.soundingLength == Tick(1060))
  }
}
