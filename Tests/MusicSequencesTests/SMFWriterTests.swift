// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@Suite struct SMFWriterTests {
  private let one = Channel(index: 0)

  private func read(_ bytes: [UInt8]) throws -> SequenceFile {
    try SMFReader(strict: true).read(bytes)
  }

  @Test func `a sequence built in memory is written as the standard requires`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(.note(Note(one, Key(60), velocity: 64, duration: 480)), at: 0)
    try track.insert(.note(Note(one, Key(64), velocity: 64, duration: 1)), at: 0)
    sequence.tracks = [track]
    #expect(
      try SMFWriter().write(sequence) == [
        0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 1, 0, 1, 1, 0xE0,
        0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 19,
        0, 0x90, 60, 64, 0, 64, 64, 1, 0x80, 64, 64, 0x83, 0x5F, 60, 64, 0, 0xFF, 0x2F, 0,
      ])
  }

  @Test func `only an edited track is encoded again`() throws {
    // A padded length and a status byte that could have been left out.
    let odd: [UInt8] = [0x80, 0, 0xC0, 1, 0, 0xC0, 2]
    let bytes = SampleFiles.file(format: 1, track: odd, odd, ending: true)
    var file = try read(bytes)
    #expect(try SMFWriter().write(file) == bytes)
    try file.sequences[0].tracks[1].insert(.message(.program(one, 3)), at: 0)
    let written = try SMFWriter().write(file)
    #expect(Array(written[14..<33]) == Array(bytes[14..<33]))
    let expected: [UInt8] = [0, 0xC0, 1, 0, 2, 0, 3, 0, 0xFF, 0x2F, 0]
    #expect(written.suffix(11) == expected[...])
  }

  @Test func `chunks that are not tracks keep their positions`() throws {
    var bytes = SampleFiles.file(format: 1, track: [0, 0xC0, 1], [0, 0xC0, 2], ending: true)
    let stranger: [UInt8] = [0x58, 0x59, 0x5A, 0x5A, 0, 0, 0, 3, 9, 8, 7]
    bytes.insert(contentsOf: stranger, at: 14 + 15)
    bytes = Array(bytes[..<14]) + stranger + bytes[14...] + stranger
    let file = try read(bytes)
    #expect(file.unknownChunks.map(\.position) == [0, 1, 2])
    #expect(try SMFWriter().write(file) == bytes)
  }

  @Test func `an edited tempo track is written in the first track, and nowhere else`() throws {
    var file = try read(
      SampleFiles.file(
        format: 1, track: [0, 0xFF, 3, 1, 65], [0x60, 0xFF, 0x51, 3, 1, 0, 0, 0, 0xC0, 4],
        ending: true))
    try file.sequences[0].insertTempo(.standard, at: 10)
    let again = try read(try SMFWriter().write(file))
    #expect(again.sequences[0].tempoTrack.events.map(\.tick) == [10, 96])
    let plain = try read(try SMFWriter().write(again.sequences[0]))
    #expect(plain.sequences[0].tracks.map(\.count) == [1, 1])
  }

  @Test func `an edited track keeps its part of an unedited tempo track`() throws {
    var file = try read(
      SampleFiles.file(
        format: 1, track: [0, 0xFF, 3, 1, 65], [0x60, 0xFF, 0x51, 3, 1, 0, 0, 0, 0xC0, 4],
        ending: true))
    let first = try SMFWriter().write(file)
    try file.sequences[0].tracks[1].insert(.message(.program(one, 5)), at: 97)
    let again = try read(try SMFWriter().write(file))
    #expect(again.sequences[0].tempoTrack.count == 1)
    var undone = again.sequences[0]
    undone.tracks[1].remove(at: 1)
    undone.tracks[1].explicitLength = 96
    #expect(try SMFWriter().write(undone) == first)
  }

  @Test func `settings, user and parameter events survive, and other programs can read on`() throws
  {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(.user([1, 2, 3]), at: 4)
    try track.insert(.parameter(ParameterEvent(parameter: 9, value: 0.25, isRamp: true)), at: 5)
    try track.insert(.note(Note(one, Key(60), duration: 10)), at: 6)
    track.settings.loop = TrackSettings.Loop(length: 8, count: 3)
    track.settings.offset = -7
    track.settings.isMuted = true
    track.settings.isAutomation = true
    track.settings.destination = "Körg:1"
    sequence.tracks = [track]
    let written = try SMFWriter().write(sequence)
    let again = try read(written)
    #expect(again.sequences[0].tracks[0].settings == track.settings)
    let events = again.sequences[0].tracks[0].events.filter {
      guard case .meta = $0.content else { return true }
      return false
    }
    #expect(events == Array(track.events))
    #expect(try SequenceSummary(again).metaEvents == 4)
    #expect(try SMFWriter().write(again) == written)
    // When the track is encoded again, they appear only once.
    var edited = again.sequences[0]
    edited.tracks[0].settings.isMuted = false
    edited.tracks[0].settings.isMuted = true
    #expect(try SMFWriter().write(edited) == written)
  }

  @Test func `format 0 holds all tracks in one, in order of tick and track`() throws {
    let file = try read(SampleFiles.everything)
    let single = try SMFWriter().write(file.sequences[0], format: .single)
    let again = try read(single)
    #expect(again.declaredFormat == 0)
    #expect(again.trackCount == 1)
    let old = try SequenceSummary(file)
    let new = try SequenceSummary(again)
    // One end of track less.
    #expect(new.events == old.events - 1)
    #expect(new.length == old.length)
    #expect(new.noteOns == old.noteOns)
  }

  @Test func `a gap no delta time can hold is bridged by empty texts`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(.message(.program(one, 1)), at: Tick(1 << 30))
    sequence.tracks = [track]
    let again = try read(try SMFWriter().write(sequence)).sequences[0]
    #expect(again.tracks[0].events.last?.tick == Tick(1 << 30))
    #expect(again.tracks[0].count == 5)
  }

  @Test func `what no file can name is refused`() throws {
    let sequence = MusicSequence(division: .smpte(.fps60, ticksPerFrame: 10))
    #expect(throws: SequenceError.self) { try SMFWriter().write(sequence) }
  }
}
