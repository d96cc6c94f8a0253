// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@Suite struct MusicSequenceTests {
  @Test func `a new sequence is empty, at 120 bpm and 480 ticks a quarter`() throws {
    let sequence = MusicSequence()
    #expect(sequence.tracks.isEmpty)
    #expect(sequence.tempoTrack.isEmpty)
    #expect(try sequence.tempoMap.tempo(at: 1_000_000) == .standard)
    #expect(try sequence.meterMap.signature(at: 7) == .common)
    #expect(sequence.division == .ppqn(try #require(PPQN(480))))
    #expect(sequence.length == 0)
  }

  @Test func `tempo 90 from the start and 60 from beat 2 put beat 4 at 10 thirds`() throws {
    var sequence = MusicSequence()
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 1_000_000)), at: 960)
    // 90 beats per minute are 666 666⅔ µs: a file holds the nearest whole one.
    let ninety = try Tempo.beatsPerMinute(90, rounding: .nearest).value
    try sequence.insertTempo(ninety, at: 0)
    let seconds = try sequence.tempoMap.seconds(at: 1920)
    #expect(seconds == Ratio(2 * 666_667 + 2_000_000, over: 1_000_000))
  }

  @Test func `setting a tempo replaces the one before and returns the rounded tempo`()
    throws
  {
    var sequence = MusicSequence()
    try sequence.insertTempo(.standard, at: 0)
    try sequence.insertTempo(.standard, at: 480)
    try sequence.insertTimeSignature(.common, at: 0)
    let wanted = try Tempo.beatsPerMinute(130, rounding: .nearest).value
    let held = try sequence.setTempo(wanted, at: 0)
    // 46 153 846 units of 10 ns are 461 538.46 µs.
    #expect(held.value == Tempo(microsecondsPerQuarter: 461_538) && !held.isExact)
    #expect(held.residue == Ratio(46, over: 100))
    #expect(
      sequence.tempoChanges == [
        TempoChange(tick: 0, tempo: held.value), TempoChange(tick: 480, tempo: .standard),
      ])
    #expect(sequence.tempoTrack.count == 3)
    #expect(try sequence.insertTempo(.standard, at: 0).isExact)
    #expect(sequence.tempoTrack.count == 4)
  }

  @Test func `of two tempo events at one tick the later one counts and both are kept`() throws {
    var sequence = MusicSequence()
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 300_000)), at: 0)
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 400_000)), at: 0)
    #expect(sequence.tempoTrack.count == 2)
    #expect(try sequence.tempoMap.seconds(at: 480) == Ratio(2, over: 5))
    let again = try SMFReader(strict: true).read(try SMFWriter().write(sequence)).sequences[0]
    #expect(again.tempoTrack.events.map(\.content) == sequence.tempoTrack.events.map(\.content))
  }

  @Test func `a meter at beat 1 only leaves 4/4 before it`() throws {
    var sequence = MusicSequence()
    try sequence.insertTimeSignature(
      try TimeSignature(numerator: 7, denominator: 8), at: 480)
    #expect(try sequence.meterMap.signature(at: 0) == .common)
    #expect(try sequence.meterMap.signature(at: 1).numerator == 7)
  }

  @Test func `a tempo that a file cannot hold is refused`() throws {
    var sequence = MusicSequence()
    let slow = try #require(Tempo(microsecondsPerQuarter: 16_777_216))
    #expect(throws: SequenceError.self) { try sequence.insertTempo(slow, at: 0) }
    #expect(sequence.tempoTrack.isEmpty)
  }

  @Test func `SMPTE divisions are fixed time, and 29 is 30000/1001`() throws {
    for (bytes, seconds) in [
      ([0xE7, 0x28], Ratio(1)), ([0xE2, 0x50], Ratio(1000, over: 2400)),
      ([0xE3, 0x64], Ratio(1001, over: 3000)), ([0xE8, 0x04], Ratio(1000, over: 96)),
    ] {
      let file = try SMFReader(strict: true).read(
        SampleFiles.file(
          division: bytes.map(UInt8.init),
          track: [0, 0xFF, 0x51, 3, 1, 0, 0, 0x87, 0x68, 0xFF, 0x2F, 0]))
      #expect(try SequenceSummary(file).length == seconds)
      #expect(try SMFWriter().write(file.sequences[0]).prefix(14).suffix(2).map(Int.init) == bytes)
    }
  }

  @Test func `tempo events of every track belong to the tempo track`() throws {
    let file = try SMFReader(strict: true).read(
      SampleFiles.file(
        format: 1, track: [0, 0xFF, 3, 1, 65], [0x60, 0xFF, 0x51, 3, 1, 0, 0, 0, 0xC0, 4],
        [0x60, 0xFF, 0x51, 3, 2, 0, 0], ending: true))
    let sequence = file.sequences[0]
    #expect(sequence.tempoTrack.count == 2)
    #expect(sequence.tracks.map(\.count) == [1, 1, 0])
    // The later track takes precedence at one tick.
    #expect(try sequence.tempoMap.tempo(at: 96).microsecondsPerQuarter == 131072)
  }

  @Test func `a file of patterns gives a sequence for each`() throws {
    let file = try SMFReader(strict: true).read(
      SampleFiles.file(
        format: 2, track: [0, 0xFF, 0x51, 3, 1, 0, 0, 0x83, 0x60, 0xC0, 1],
        [0x83, 0x60, 0xC0, 2], ending: true))
    #expect(file.sequences.count == 2)
    #expect(file.sequences.allSatisfy { $0.format == .pattern && $0.tracks.count == 1 })
    #expect(try file.sequences[0].tempoMap.seconds(at: 480) == Ratio(65536, over: 1_000_000))
    #expect(try file.sequences[1].tempoMap.seconds(at: 480) == Ratio(1, over: 2))
  }
}
