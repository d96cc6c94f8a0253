// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// A player under the commands of a transport.
@Suite struct PlayerTransportTests {
  private static let millisecond: Int64 = 1_000_000
  private let channel = Channel(index: 0)

  /// One note a quarter, 480 ticks or 500 ms apart, each 240 ticks long, keys rising from 60.
  private func quarters(_ count: Int) throws -> MusicSequence {
    var sequence = MusicSequence()
    var track = MusicTrack()
    for index in 0..<count {
      let note = Note(channel, Key(UInt8(60 + index)), velocity: 100, duration: 240)
      try track.insert(.note(note), at: Tick(Int64(index) * 480))
    }
    sequence.tracks = [track]
    return sequence
  }

  private func strikes(_ rig: PlayerRig) -> [(Int64, UInt8)] {
    rig.heard.filter(\.message.isStrike).map { ($0.time / Self.millisecond, $0.message.data1) }
  }

  private func run(_ rig: PlayerRig, from start: Int64 = 0, to end: Int64) throws {
    for position in stride(from: start, through: end, by: 5) {
      try rig.step(at: position * Self.millisecond)
    }
  }

  @Test func `a loop plays its part over and over, at exact times, and then goes on`() throws {
    let rig = try PlayerRig(try quarters(4))
    try rig.scheduler.setLoop(LoopRange(start: 480, end: 960, count: 3))
    try run(rig, to: 4000)
    #expect(strikes(rig).map(\.0) == [0, 500, 1000, 1500, 2000, 2500])
    #expect(strikes(rig).map(\.1) == [60, 61, 61, 61, 62, 63])
    let laps = rig.facts.events.compactMap { event -> Int32? in
      guard case .fact(.looped(let pass, let tick)) = event.payload else { return nil }
      #expect(tick == 480)
      return pass
    }
    #expect(laps == [1, 2])
    #expect(rig.scheduler.isFinished)
  }

  @Test func `a loop that jumps back at the end of a window does not end the song`() throws {
    var sequence = try quarters(1)
    sequence.tracks[0].explicitLength = 960
    let rig = try PlayerRig(sequence)
    try rig.scheduler.setLoop(LoopRange(start: 0, end: 960, count: 2))
    try run(rig, to: 900)
    #expect(!rig.scheduler.isFinished)
    try run(rig, from: 905, to: 2000)
    #expect(rig.scheduler.isFinished)
    #expect(strikes(rig).count == 2)
    #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
  }

  @Test func `a note that sounds at the end of a loop ends there`() throws {
    var sequence = try quarters(4)
    let long = Note(channel, Key(90), velocity: 1, duration: 5000)
    try sequence.tracks[0].insert(.note(long), at: 500)
    let rig = try PlayerRig(sequence)
    try rig.scheduler.setLoop(LoopRange(start: 480, end: 960, count: 2))
    try run(rig, to: 9000)
    let ends = rig.heard.filter { $0.message.isKeyRelease && $0.message.data1 == 90 }
    #expect(ends.map { $0.time / Self.millisecond } == [1000, 6229])
    #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
  }

  @Test func `a play rate that changes midway moves what follows and nothing before`() throws {
    let rig = try PlayerRig(try quarters(8))
    try run(rig, to: 995)
    try rig.scheduler.setPlayRate(2)
    try run(rig, from: 1000, to: 4000)
    // The change takes effect 5 ms after 995 ms: just at the third note.
    #expect(strikes(rig).map(\.0) == [0, 500, 1000, 1250, 1500, 1750, 2000, 2250])
  }

  @Test func `a locate while playing releases, and goes on from there at once`() throws {
    let rig = try PlayerRig(try quarters(8))
    try run(rig, to: 600)
    try rig.scheduler.locate(to: 1920)
    try run(rig, from: 605, to: 4000)
    #expect(strikes(rig).map(\.1) == [60, 61, 64, 65, 66, 67])
    #expect(strikes(rig)[2].0 == 605)
    let count = NoteCount(rig.sink.messages)
    #expect(count.sounding.isEmpty && count.strayReleases == 0)
  }

  @Test func `resuming after a stop continues at the stop position`() throws {
    let rig = try PlayerRig(try quarters(8))
    try run(rig, to: 645)
    try rig.scheduler.stop()
    #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
    try run(rig, from: 650, to: 2000)
    try rig.scheduler.start()
    try run(rig, from: 2005, to: 6000)
    // 650 ms were played. Playback continues from there at 2005 ms.
    #expect(strikes(rig).map(\.0) == [0, 500, 2355, 2855, 3355, 3855, 4355, 4855])
  }

  @Test func `muting ends a track's notes but not its controllers, and can be undone`() throws {
    var sequence = try quarters(8)
    try sequence.tracks[0].insert(.message(.control(channel, .volume, value: 9)), at: 1000)
    let rig = try PlayerRig(sequence)
    try run(rig, to: 540)
    sequence.tracks[0].settings.isMuted = true
    try rig.replace(by: sequence)
    try run(rig, from: 545, to: 2300)
    sequence.tracks[0].settings.isMuted = false
    try rig.replace(by: sequence)
    try run(rig, from: 2305, to: 5000)
    #expect(strikes(rig).map(\.1) == [60, 61, 65, 66, 67])
    let volume = rig.heard.filter { $0.message == .control(channel, .volume, value: 9) }
    #expect(volume.count == 1)
    let releases = rig.heard.filter(\.message.isKeyRelease).map { $0.time / Self.millisecond }
    #expect(releases.prefix(2) == [250, 545])
  }

  @Test func `mute + solo matrix: muted never sounds, any unmuted solo silences unsoloed`() throws {
    for bits in 0..<64 {
      let mutes = (0..<3).map { bits >> $0 & 1 != 0 }
      let solos = (3..<6).map { bits >> $0 & 1 != 0 }
      var sequence = MusicSequence()
      for index in 0..<3 {
        var track = MusicTrack()
        try track.insert(.note(Note(channel, Key(UInt8(60 + index)), duration: 10)), at: 0)
        track.settings.isMuted = mutes[index]
        track.settings.isSoloed = solos[index]
        sequence.tracks.append(track)
      }
      let rig = try PlayerRig(sequence)
      try run(rig, to: 50)
      let isAlone = zip(mutes, solos).contains { !$0 && $1 }
      let sounding = (0..<3).filter { !mutes[$0] && (solos[$0] || !isAlone) }
      #expect(strikes(rig).map { Int($0.1) - 60 } == sounding, "mutes \(mutes), solos \(solos)")
    }
  }

  @Test func `an edit takes effect, releases removed notes, and repeats nothing`() throws {
    var sequence = try quarters(4)
    let rig = try PlayerRig(sequence)
    try run(rig, to: 600)
    // The second note is sounding. The edit removes it and replaces the third note.
    sequence.tracks[0].remove(at: 1)
    sequence.tracks[0].remove(at: 1)
    try sequence.tracks[0].insert(
      .note(Note(channel, Key(90), velocity: 5, duration: 10)), at: 1200)
    try rig.replace(by: sequence)
    try run(rig, from: 605, to: 4000)
    #expect(strikes(rig).map(\.1) == [60, 61, 90, 63])
    let ends = rig.heard.filter { $0.message.isKeyRelease && $0.message.data1 == 61 }
    #expect(ends.map { $0.time / Self.millisecond } == [605])
    #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
  }

  @Test func `a window that is too late skips the missed events and reports the delay`() throws {
    let rig = try PlayerRig(try quarters(40))
    try run(rig, to: 600)
    try rig.step(at: 9_000 * Self.millisecond)
    try run(rig, from: 9_005, to: 9_600)
    #expect(strikes(rig).map(\.1) == [60, 61, 79])
    let late = rig.facts.events.compactMap { event -> Int64? in
      guard case .fact(.late(let missed)) = event.payload else { return nil }
      return missed / Self.millisecond
    }
    #expect(late == [9_005 - 700])
    #expect(NoteCount(rig.sink.messages.dropLast()).strayReleases == 0)
  }

  @Test func `a track's own loop and offset shift and repeat its events`() throws {
    var sequence = try quarters(4)
    sequence.tracks[0].explicitLength = 1920
    sequence.tracks[0].settings.loop = TrackSettings.Loop(length: 960, count: 3)
    sequence.tracks[0].settings.offset = 240
    let rig = try PlayerRig(sequence)
    try run(rig, to: 8000)
    #expect(strikes(rig).map(\.0) == [250, 750, 1250, 1750, 2250, 2750, 3250, 3750])
    #expect(strikes(rig).map(\.1) == [60, 61, 62, 63, 62, 63, 62, 63])
    let middle = try PlayerRig(sequence, startsAt: 2640)
    try run(middle, to: 8000)
    #expect(strikes(middle).map(\.0) == [0, 500, 1000])
    #expect(strikes(middle).map(\.1) == [63, 62, 63])
  }

  @Test func `notes held at the start position are struck on request`()
    throws
  {
    let rig = try PlayerRig(try quarters(4), startsAt: nil)
    rig.player.restartsHeldNotes = true
    try rig.scheduler.start(from: 600, at: .zero)
    try run(rig, to: 3000)
    #expect(strikes(rig).map(\.1) == [61, 62, 63])
    #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
  }

  @Test func `metas, user events and tempi are reported at their times`() throws {
    var sequence = try quarters(2)
    try sequence.tracks[0].insert(.meta(.text("la", type: .lyric)), at: 480)
    try sequence.tracks[0].insert(.user([1, 2]), at: 500)
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 250_000)), at: 960)
    let rig = try PlayerRig(sequence)
    try run(rig, to: 2000)
    let told = rig.facts.events.compactMap { event -> [Int64]? in
      guard case .fact(.event(let tick)) = event.payload else { return nil }
      return [tick.value, Int64(event.track), Int64(event.index)]
    }
    #expect(told == [[480, 0, 2], [500, 0, 3], [960, 65535, 0]])
  }
}
