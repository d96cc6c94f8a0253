// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

@Suite struct MusicPlayerTests {
  private func sequence(_ bytes: [UInt8]) throws -> MusicSequence {
    try #require(try SMFReader().read(bytes).sequences.first)
  }

  private func play(_ bytes: [UInt8], cutAt limits: [Int64]) throws -> RecordingSink {
    let sink = RecordingSink()
    let sequence = try sequence(bytes)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try sequence.tempoMap), sources: [try MusicPlayer(sequence)],
      router: Router(sinks: [sink]))
    try scheduler.start(from: 0, at: .zero)
    for limit in limits { try scheduler.step(to: ReferenceTime(nanoseconds: limit)) }
    return sink
  }

  @Test func `notes are struck and released at their times`() throws {
    let sink = try play(SongBytes.notes(4, every: 480), cutAt: [3_000_000_000])
    let strikes = sink.events.filter { event in
      guard case .message(let message) = event.payload else { return false }
      return message.status == 0x90
    }
    #expect(strikes.map(\.time.nanoseconds) == [0, 500_000_000, 1_000_000_000, 1_500_000_000])
    var ledger = NoteLedger()
    for message in sink.messages { ledger.record(message) }
    #expect(ledger.isSilent)
  }

  @Test(arguments: 1...10)
  func `a song cut into random windows plays the same`(seed: Int) throws {
    let song = SongBytes.notes(50, every: 113)
    let whole = try play(song, cutAt: [10_000_000_000])
    var generator = SplitMix(seed: UInt64(seed))
    let cuts = (0..<300).map { _ in Int64.random(in: 0..<10_000_000_000, using: &generator) }
    let cut = try play(song, cutAt: cuts.sorted() + [10_000_000_000])
    #expect(cut.events.map(\.time) == whole.events.map(\.time))
    #expect(cut.messages == whole.messages)
  }

  @Test func `SysEx bytes go along`() throws {
    let reset: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
    let sink = try play(
      SongBytes.file([(0, [0xF0, 5] + reset + [0xF7]), (480, [0x90, 60, 1])]),
      cutAt: [1_000_000_000])
    #expect(sink.sysExes == [reset])
  }

  @Test func `a release owed after a locate is the ledger's, not the player's`() throws {
    let sequence = try sequence(SongBytes.notes(4, every: 480))
    let player = try MusicPlayer(sequence)
    let timeline = try sequence.tempoMap.timeline(
      at: 0, originTick: 0, origin: ReferenceTime.zero, playRate: 1)
    var buffer = EventBuffer()
    player.emit(.zero..<ReferenceTime(nanoseconds: 100_000_000), along: timeline, into: &buffer)
    player.locate(
      to: TransportPosition(
        time: ReferenceTime(nanoseconds: 100_000_000), tick: 1920, unwrapped: 1920),
      by: .locate, into: &buffer)
    buffer.removeAll()
    player.emit(.zero..<ReferenceTime(nanoseconds: 9_000_000_000), along: timeline, into: &buffer)
    #expect(buffer.events.allSatisfy { if case .fact = $0.payload { true } else { false } })
    #expect(player.isFinished)
  }

  @Test func `a player has finished when it owes nothing`() throws {
    let player = try MusicPlayer(try sequence(SongBytes.notes(1, every: 480)))
    #expect(!player.isFinished)
    let timeline = try sequence(SongBytes.notes(1, every: 480)).tempoMap.timeline(
      at: 0, originTick: 0, origin: ReferenceTime.zero, playRate: 1)
    var buffer = EventBuffer()
    player.emit(.zero..<ReferenceTime(nanoseconds: 9_000_000_000), along: timeline, into: &buffer)
    #expect(player.isFinished)
  }

  @Test(arguments: [false, true])
  func `a song lasts to its last note, or to the end of its longest track`(whole: Bool) throws {
    var song = try sequence(SongBytes.notes(1, every: 480))
    song.tracks[0].explicitLength = 1920
    let player = try MusicPlayer(song)
    player.playsToEnd = whole
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try song.tempoMap), sources: [player], router: Router())
    try scheduler.start(from: 0, at: .zero)
    // At 120 quarter notes a minute the track ends after two seconds.
    try scheduler.step(to: ReferenceTime(nanoseconds: 1_900_000_000))
    #expect(scheduler.isFinished == !whole)
    try scheduler.step(to: ReferenceTime(nanoseconds: 2_100_000_000))
    #expect(scheduler.isFinished)
    #expect((scheduler.lane.lastTime.nanoseconds == 2_000_000_000) == whole)
  }

  @Test func `a part without any event lasts to its end, in each pass of a loop`() throws {
    var song = try sequence(SongBytes.notes(1, every: 480))
    song.tracks[0].explicitLength = 1920
    let player = try MusicPlayer(song)
    player.playsToEnd = true
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: try song.tempoMap), sources: [player], router: Router())
    try scheduler.start(from: 960, at: .zero)
    try scheduler.setLoop(LoopRange(start: 960, end: 1920, count: 2))
    try scheduler.step(to: ReferenceTime(nanoseconds: 1_900_000_000))
    #expect(!scheduler.isFinished)
    try scheduler.step(to: ReferenceTime(nanoseconds: 2_100_000_000))
    #expect(scheduler.isFinished)
  }
}
