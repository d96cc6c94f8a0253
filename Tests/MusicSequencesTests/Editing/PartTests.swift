// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Tests for edits that keep a part of a track, compared with the same edits of an array.
@Suite struct PartTests {
  @Test(arguments: RandomScore.seeds)
  func `truncate ends notes at the tick and takes away what begins there`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let end = Tick(score.tick())
    var new = old
    new.truncate(at: end)
    let kept = old.all.filter { $0.tick < end }.map { event in
      guard case .note(var note) = event.content, event.tick.value + note.duration > end.value
      else { return event }
      note.duration = end.value - event.tick.value
      return TrackEvent(.note(note), at: event.tick)
    }
    #expect(new.all == kept)
    #expect(new.explicitLength == end)
    #expect(new.settings == old.settings)
  }

  @Test(arguments: RandomScore.seeds)
  func `keep leaves the channels named and what has none`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    var new = old
    new.keep(channels: 0b101)
    let kept = old.all.filter { event in
      switch event.content {
      case .note(let note): [0, 2].contains(note.channel.index)
      case .message(let message): message.channel.map { [0, 2].contains($0.index) } ?? true
      default: true
      }
    }
    #expect(new.all == kept)
    #expect(new.length == old.length)
  }

  @Test func `a song has notes if it contains a note-on`() throws {
    var sequence = MusicSequence(division: .ppqn(try #require(PPQN(96))))
    sequence.tracks.append(MusicTrack())
    let (key, channel) = (Key(60), Channel(index: 0))
    try sequence.tracks[0].insert(
      TrackEvent(.message(.noteOff(channel, key, velocity: 0)), at: .zero))
    #expect(!sequence.hasNotes)
    try sequence.tracks[0].insert(
      TrackEvent(.note(Note(channel, key, velocity: 64, duration: 96)), at: .zero))
    #expect(sequence.hasNotes)
  }
}
