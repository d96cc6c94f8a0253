// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import Testing

@Suite struct MetronomeTests {
  private func song(ppqn: Int = 480, _ meters: [(Int64, Int, Int)]) throws -> MusicSequence {
    var song = MusicSequence(division: .ppqn(try #require(PPQN(ppqn))), format: .single)
    for (tick, upper, lower) in meters {
      try song.insertTimeSignature(
        TimeSignature(numerator: upper, denominator: lower), at: Tick(tick))
    }
    return song
  }

  /// The ticks of the clicks, with `!` for the bell.
  private func clicks(_ track: MusicTrack?) throws -> [String] {
    try #require(track).events.compactMap { event in
      guard case .note(let note) = event.content else { return nil }
      return "\(event.tick.value)\(note.key == Key(34) ? "!" : "")"
    }
  }

  @Test func `a bell on every bar, a click on every beat, by the meters of the song`() throws {
    // 3/4 twice, a bar of 6/8 cut short after four eighths, then 2/2.
    var song = try song([(0, 3, 4), (2880, 6, 8), (3840, 2, 2)])
    try song.appendClicks(until: Tick(6000))
    #expect(
      try clicks(song.tracks.last) == [
        "0!", "480", "960", "1440!", "1920", "2400", "2880!", "3120", "3360", "3600", "3840!",
        "4800", "5760!",
      ])
    #expect(song.format == .simultaneous)
  }

  @Test func `clicks between ticks are each at the nearest`() throws {
    var song = try song(ppqn: 1, [(0, 3, 16)])
    try song.appendClicks(until: Tick(2))
    #expect(try clicks(song.tracks.last) == ["0!", "0", "1", "1!", "1", "1", "2!", "2"])
  }

  @Test func `however long the song, there is an end to them`() throws {
    var song = try song(ppqn: 1, [(0, 4, 4)])
    try song.appendClicks(until: Tick(1 << 40))
    #expect(song.tracks.last?.count == Int(Metronome.limit))
  }

  @Test func `a count-in has the tempo and the meter of its place, and the rest is later`() throws {
    var song = try song([(0, 4, 4), (1920, 3, 4)])
    let tempo = try #require(Tempo(microsecondsPerQuarter: 700_000))
    try song.insertTempo(tempo, at: Tick(1920))
    var track = MusicTrack()
    try track.insert(.message(.program(Channel(index: 0), 5)), at: Tick(1920))
    song.tracks = [track]
    let seconds = try song.tempoMap.seconds(at: Tick(1920))
    #expect(try song.insertCountIn(bars: 2, at: Tick(1920)) == 2880)
    #expect(
      try clicks(song.tracks.last) == ["1920!", "2400", "2880", "3360!", "3840", "4320"])
    #expect(song.tracks[0].events.map(\.tick) == [Tick(4800)])
    let tempi = try song.tempoMap
    #expect(tempi.tempo(at: Tick(1920)) == tempo)
    #expect(try tempi.seconds(at: Tick(4800)) - seconds == Ratio(42, over: 10))
  }

  @Test func `a song with a frame division is refused, since bars need a meter`() throws {
    var song = MusicSequence(division: .smpte(.fps25, ticksPerFrame: 40), format: .single)
    #expect(throws: SequenceError.self) { try song.appendClicks(until: Tick(9)) }
    #expect(throws: SequenceError.self) { _ = try song.insertCountIn(bars: 1, at: .zero) }
  }
}
