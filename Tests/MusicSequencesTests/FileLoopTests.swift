// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@Suite struct FileLoopTests {
  private let channel = Channel(index: 0)

  private func sequence(_ events: [(Int64, TrackEvent.Content)]) throws -> MusicSequence {
    var track = MusicTrack()
    try track.insert(.note(Note(channel, Key(60), duration: 960)), at: Tick(960))
    for (tick, content) in events { try track.insert(content, at: Tick(tick)) }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    return sequence
  }

  private func control(_ number: UInt8, _ value: UInt8 = 0) -> TrackEvent.Content {
    .message(.control(channel, Controller(number), value: value))
  }

  @Test(arguments: ["loopStart", "LOOPSTART", "Loop Start", "loop_start"])
  func `a marker begins it, however it is written`(name: String) throws {
    let loop = FileLoop(
      try sequence([
        (240, .meta(.text(name, type: .marker))), (1200, .meta(.text("loopEnd", type: .text))),
      ]))
    #expect(loop?.range == Tick(240)..<Tick(1200))
    #expect(loop?.count == 0)
  }

  @Test func `controller 111 plays from there to the end`() throws {
    let loop = FileLoop(try sequence([(480, control(111))]))
    #expect(loop?.range == Tick(480)..<Tick(1920))
  }

  @Test(arguments: [0, 1, 127] as [UInt8])
  func `controllers 110 and 111 enclose it, whatever their values`(value: UInt8) throws {
    let loop = FileLoop(try sequence([(480, control(110, value)), (960, control(111, value))]))
    #expect(loop?.range == Tick(480)..<Tick(960))
    #expect(loop?.count == 0)
  }

  @Test func `controller 110 without 111 plays from there to the end`() throws {
    #expect(FileLoop(try sequence([(480, control(110))]))?.range == Tick(480)..<Tick(1920))
  }

  @Test func `controller 111 before any 110 is a start`() throws {
    let loop = FileLoop(try sequence([(240, control(111)), (960, control(110))]))
    #expect(loop?.range == Tick(240)..<Tick(1920))
  }

  @Test func `the first 111 behind the first 110 is the end, whatever their tracks`() throws {
    var sequence = try sequence([(1200, control(111)), (960, control(111)), (480, control(110))])
    var other = MusicTrack()
    try other.insert(control(110), at: Tick(720))
    sequence.tracks.insert(other, at: 0)
    #expect(FileLoop(sequence)?.range == Tick(480)..<Tick(960))
  }

  @Test func `controllers 116 go before 110`() throws {
    let loop = FileLoop(
      try sequence([(480, control(110)), (960, control(111)), (240, control(116))]))
    #expect(loop?.range == Tick(240)..<Tick(1920))
  }

  @Test(arguments: [(UInt8(3), 3), (127, 0), (0, 0)])
  func `controllers 116 and 117 enclose it and give the count`(value: UInt8, count: Int) throws {
    let loop = FileLoop(try sequence([(0, control(116, value)), (960, control(117, 127))]))
    #expect(loop?.range == Tick(0)..<Tick(960))
    #expect(loop?.count == count)
  }

  @Test func `markers go before controllers`() throws {
    let loop = FileLoop(
      try sequence([
        (480, control(111)), (240, control(116)), (120, .meta(.text("loopStart", type: .marker))),
      ]))
    #expect(loop?.range == Tick(120)..<Tick(1920))
  }

  @Test func `without markers, or with an empty range, the loop is nil`() throws {
    #expect(FileLoop(try sequence([])) == nil)
    #expect(FileLoop(try sequence([(1920, control(111))])) == nil)
    #expect(FileLoop(try sequence([(960, control(116)), (480, control(117))])) == nil)
  }
}
