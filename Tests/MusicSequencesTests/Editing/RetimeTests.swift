// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct RetimeTests {
  @Test(arguments: RandomScore.seeds)
  func `every event keeps its second to half a tick of the new tempo`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    let changes = try (0..<score.number(1...4)).map { _ in
      let tempo = try #require(Tempo(microsecondsPerQuarter: Int(score.number(200_000...900_000))))
      return TempoChange(tick: Tick(score.tick()), tempo: tempo)
    }
    let division = Division.ppqn(try #require(PPQN(Int(score.number(96...960)))))
    var new = old
    try new.retime(to: changes, division: division)
    #expect(new.division == division)
    let (was, now) = (try old.tempoMap, try new.tempoMap)
    #expect(now.changes.dropFirst().allSatisfy { changes.contains($0) })
    for (before, after) in zip(old.tracks, new.tracks) {
      #expect(after.count == before.count)
      for (first, second) in zip(before.all, after.all) {
        try expectSame(was, first.tick, now, second.tick)
        if second.end > second.tick.value + 1 {
          try expectSame(was, Tick(first.end), now, Tick(second.end))
        }
      }
      if let length = before.explicitLength {
        try expectSame(was, length, now, try #require(after.explicitLength))
      }
    }
    #expect(new.timeSignatures.count == old.timeSignatures.count)
  }

  /// Fails if two ticks differ in time by more than half a tick of the second map.
  private func expectSame(
    _ old: TempoMap, _ tick: Tick, _ new: TempoMap, _ other: Tick
  ) throws {
    let time = old.seconds(at: tick)
    let difference = try new.seconds(at: other) - time
    let length = try new.seconds(at: other.advanced(by: 1)) - new.seconds(at: other)
    let before = try new.seconds(at: other) - new.seconds(at: other.advanced(by: -1))
    let half = try max(length, before) * Ratio(1, over: 2)
    #expect(max(difference, -difference) <= half)
  }

  @Test(arguments: RandomScore.seeds)
  func `a range gets its tempo and what follows keeps its own`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    let range = score.range()
    let tempo = try #require(Tempo(microsecondsPerQuarter: Int(score.number(200_000...900_000))))
    var new = old
    try new.retime(range, to: tempo)
    let (was, now) = (try old.tempoMap, try new.tempoMap)
    let end = min(range.upperBound, old.length)
    guard end > range.lowerBound else { return }
    #expect(now.tempo(at: range.lowerBound) == tempo)
    let half = Ratio(Int64(tempo.tenNanosecondsPerQuarter), over: 2 * 480 * 100_000_000)
    for (before, after) in zip(old.tracks, new.tracks) {
      for (first, second) in zip(before.all, after.all) {
        let difference = try now.seconds(at: second.tick) - was.seconds(at: first.tick)
        #expect(max(difference, -difference) <= half)
        if first.tick <= range.lowerBound { #expect(second.tick == first.tick) }
        if first.tick >= end, first.tick < old.length {
          #expect(now.tempo(at: second.tick) == was.tempo(at: first.tick))
        }
      }
    }
  }

  @Test func `twice the tempo takes twice the ticks`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try RandomScore.line(ticks: [0, 480, 960], lasting: 480)]
    let double = try #require(Tempo(microsecondsPerQuarter: 250_000))
    try sequence.retime(to: [TempoChange(tick: 0, tempo: double)])
    #expect(sequence.tracks[0].all.map(\.tick.value) == [0, 960, 1920])
    #expect(sequence.tracks[0].all.map(\.end) == [960, 1920, 2880])
    #expect(try sequence.tempoMap.seconds(at: sequence.length) == Ratio(3, over: 2))
  }

  @Test func `ticks become milliseconds of an SMPTE division`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try RandomScore.line(ticks: [0, 480, 720], lasting: 240)]
    try sequence.retime(to: [], division: .smpte(.fps25, ticksPerFrame: 40))
    #expect(sequence.tracks[0].all.map(\.tick.value) == [0, 500, 750])
    #expect(try sequence.tempoMap.seconds(at: sequence.length) == 1)
  }

  @Test func `a tempo no file can hold is refused`() throws {
    var sequence = MusicSequence()
    let slow = try #require(Tempo(microsecondsPerQuarter: 20_000_000))
    #expect(throws: SequenceError.self) {
      try sequence.retime(to: [TempoChange(tick: 0, tempo: slow)])
    }
    #expect(sequence.tempoTrack.isEmpty)
  }
}
