// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Checks that writing and reading gives the same sequence except for the listed losses.
@Suite struct SaveLossTests {
  private let one = Channel(index: 0)

  private func reread(_ sequence: MusicSequence) throws -> MusicSequence {
    try SMFReader(strict: true).read(try SMFWriter().write(sequence)).sequences[0]
  }

  private func losses(_ events: [TrackEvent]) throws -> [SaveLoss] {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(contentsOf: events)
    sequence.tracks = [track]
    return try SMFWriter().losses(of: sequence)
  }

  private func note(_ tick: Int64, _ duration: Int64, release: UInt8? = 64) -> TrackEvent {
    TrackEvent(
      .note(Note(one, Key(60), velocity: 9, duration: duration, releaseVelocity: release)),
      at: Tick(tick))
  }

  /// The ticks at which a track is read otherwise than it was, in content or in order.
  private func changes(_ old: MusicTrack, _ new: MusicTrack) -> Set<Tick> {
    let before = Dictionary(grouping: old.all, by: \.tick)
    let after = Dictionary(grouping: new.all.filter { !isSettings($0) }, by: \.tick)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
  }

  private func isTrackLength(_ loss: SaveLoss) -> Bool {
    guard case .trackLength = loss.kind else { return false }
    return true
  }

  @Test(arguments: UInt64(0)..<300)
  func `a random sequence is read back equal except for the listed losses`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    var sequence = try score.sequence()
    // Few keys, so that most notes overlap.
    if seed % 2 == 0 {
      for index in sequence.tracks.indices {
        try sequence.tracks[index].insert(
          contentsOf: (0..<20).map { _ in
            note(score.tick(), score.duration(), release: score.number(0...1) == 0 ? nil : 3)
          })
      }
    }
    let losses = try SMFWriter().losses(of: sequence)
    let again = try reread(sequence)
    #expect(again.tempoTrack.all == sequence.tempoTrack.all)
    #expect(again.tracks.count == sequence.tracks.count)
    for (index, (old, new)) in zip(sequence.tracks, again.tracks).enumerated() {
      let own = losses.filter { $0.track == index }
      #expect(changes(old, new) == Set(own.compactMap(\.tick)), "track \(index)")
      #expect(new.settings == old.settings)
      #expect((new.length != old.length) == own.contains(where: isTrackLength), "track \(index)")
      if own.isEmpty { #expect(new.all.filter { !isSettings($0) } == old.all) }
    }
  }

  private func isSettings(_ event: TrackEvent) -> Bool {
    guard case .meta(let meta) = event.content else { return false }
    return meta.bytes.starts(with: [0x7D, 0x64, 0x62, 0x74, 0])
  }

  @Test(arguments: UInt64(0)..<60)
  func `joined into format 0 a sequence is read as its tracks joined, but for the list`(
    seed: UInt64
  ) throws {
    var score = RandomScore(seed: seed)
    let sequence = try score.sequence()
    let joined = try sequence.converted(to: .single)[0]
    let losses = try SMFWriter().losses(of: sequence, format: .single)
    let written = try SMFWriter().write(sequence, format: .single)
    let again = try SMFReader(strict: true).read(written).sequences[0]
    let ticks = losses.filter { $0.track == 0 }.compactMap(\.tick)
    #expect(changes(joined.tracks[0], again.tracks[0]) == Set(ticks))
    #expect(
      losses.contains { $0.kind == .joinedTracks(sequence.tracks.count) }
        == (sequence.tracks.count > 1))
  }

  @Test func `notes of one key that overlap end in the order in which they began`() throws {
    let found = try losses([note(0, 100), note(10, 10)])
    #expect(
      found.map { "\($0)" } == [
        "track 1, tick 0: note of key 60, channel 1 overlaps another of the same key: "
          + "will be read as 20 instead of 100 ticks",
        "track 1, tick 10: note of key 60, channel 1 overlaps another of the same key: "
          + "will be read as 90 instead of 10 ticks",
      ])
    // A file can hold overlapping notes that end in the order in which they begin, and adjacent
    // notes.
    #expect(try losses([note(0, 15), note(10, 10), note(20, 0), note(20, 0)]).isEmpty)
    #expect(try losses([note(0, 10), note(10, 10)]).isEmpty)
    let release = try losses([note(0, 20, release: 1), note(10, 10, release: 2)])
    #expect(release.isEmpty)
    let swapped = try losses([note(0, 30, release: 1), note(10, 0, release: nil)])
    #expect(swapped.map(\.tick) == [0, 10])
  }

  @Test func `a separate note-off ends a sounding note`() throws {
    let off = TrackEvent(.message(.noteOff(one, Key(60), velocity: 3)), at: 40)
    #expect(
      try losses([note(0, 100), off]).map(\.kind) == [
        .loneRelease(one, Key(60)), .noteEnd(one, Key(60), duration: 100, becomes: 40),
        .leftRelease(one, Key(60)),
      ])
    #expect(try losses([note(0, 40), off]).isEmpty)
  }

  @Test func `gaps, the last tick and a length past it are named`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(note(1 << 30, 1 << 20))
    sequence.tracks = [track]
    #expect(try SMFWriter().losses(of: sequence).map(\.kind) == [.gap(texts: 4)])
    #expect(try reread(sequence).tracks[0].count == 5)
    sequence.tracks[0].explicitLength = Tick(.max)
    var again = try reread(sequence).tracks[0]
    #expect(again.length == Tick((1 << 48) - 1))
    #expect(
      try SMFWriter().losses(of: sequence).last?.kind == .trackLength(becomes: (1 << 48) - 1))
    again = MusicTrack()
    try again.insert(note((1 << 48) - 2, 10))
    sequence.tracks = [again]
    let kinds = try SMFWriter().losses(of: sequence).map(\.kind)
    #expect(kinds.contains(.noteEnd(one, Key(60), duration: 10, becomes: 1)))
    #expect(try reread(sequence).tracks[0].length == Tick((1 << 48) - 1))
  }

  @Test func `what changes between a track and the tempo track is named`() throws {
    var sequence = MusicSequence()
    try sequence.insertTempo(.standard, at: 700)
    try sequence.tempoTrack.insert(.meta(.text("here")), at: 5)
    sequence.tempoTrack.explicitLength = 900
    sequence.tempoTrack.settings.isMuted = true
    var track = MusicTrack()
    try track.insert(.meta(.timeSignature(3, denominatorPower: 2)), at: 6)
    try track.insert(.meta(MetaEvent(type: 0x7F, bytes: [0x7D, 0x64, 0x62, 0x74, 1, 9])), at: 7)
    sequence.tracks = [track]
    #expect(
      try SMFWriter().losses(of: sequence).map { "\($0)" } == [
        "settings of the tempo track are not written",
        "the song will end with its last event, before the end of its tempo track",
        "tick 5: event in the tempo track will be read as an event of the first track",
        "track 1, tick 6: tempo, meter or SMPTE offset will be read into the tempo track",
        "track 1, tick 7: meta event in Downbeat's own format will be read as another kind of event",
        "track 1: track length will be read as 700 ticks",
      ])
    let again = try reread(sequence)
    #expect(again.tempoTrack.all.map(\.tick) == [6, 700])
    sequence.tracks[0].explicitLength = 900
    let kinds = try SMFWriter().losses(of: sequence).map(\.kind)
    #expect(!kinds.contains(.tempoTrackLength))
    #expect(
      again.tracks[0].all == [
        TrackEvent(.meta(.text("here")), at: 5), TrackEvent(.user([9]), at: 7),
      ])
  }

  @Test func `a track is added for tempo events without one, in patterns too`() throws {
    var sequence = MusicSequence(format: .pattern)
    try sequence.insertTempo(.standard, at: 3)
    #expect(
      try SMFWriter().losses(of: sequence).map(\.kind) == [.addedTrack, .trackLength(becomes: 3)])
    #expect(try reread(sequence).tempoTrack.all == sequence.tempoTrack.all)
    var file = try SMFReader().read(SampleFiles.file(format: 2, track: [], [], ending: true))
    file.sequences[1] = sequence
    #expect(
      try SMFWriter().losses(of: file).map { "\($0)" } == [
        "track 2: empty track added for the tempo events",
        "track 2: track length will be read as 3 ticks",
      ])
    let again = try SMFReader(strict: true).read(try SMFWriter().write(file))
    #expect(again.sequences[1].tempoTrack.all == sequence.tempoTrack.all)
    file.sequences[0].tracks = []
    file.sequences[1].tracks = [MusicTrack(), MusicTrack()]
    #expect(
      try SMFWriter().losses(of: file).map(\.kind) == [
        .emptyPattern, .splitPattern(tracks: 2), .trackLength(becomes: 3),
      ])
  }

  @Test func `what a file was besides its sequences is named`() throws {
    let riff = try SMFReader().read(SampleFiles.riff)
    #expect(
      try SMFWriter().losses(of: riff).map { "\($0)" } == [
        "source is RMID, only its sequences are written"
      ])
    var bytes = SampleFiles.everything
    bytes[7] = 8
    bytes.insert(contentsOf: [1, 2], at: 14)
    #expect(try SMFWriter().losses(of: SMFReader().read(bytes)).map(\.kind) == [.longHeader])
    var file = try SMFReader().read(SampleFiles.everything)
    #expect(try SMFWriter().losses(of: file).isEmpty)
    file.sequences[0].format = .single
    #expect(try SMFWriter().losses(of: file).map(\.kind) == [.singleFormat(tracks: 2)])
    #expect(try SMFWriter().write(file) == SampleFiles.everything)
    file.sequences.append(file.sequences[0])
    #expect(try SMFWriter().losses(of: file).contains { $0.kind == .joinedSequences(2) })
    file.sequences[1].division = .smpte(.fps25, ticksPerFrame: 40)
    #expect(throws: SequenceError.self) { try SMFWriter().write(file) }
  }

  @Test func `tracks moved about or between files keep the tempo track's events as they were`()
    throws
  {
    let tempo = { (value: UInt8) -> [UInt8] in [0, 0xFF, 0x51, 3, value, 0, 0] }
    let first = try SMFReader().read(
      SampleFiles.file(format: 1, track: tempo(1), tempo(2), tempo(3), ending: true))
    let second = try SMFReader().read(
      SampleFiles.file(format: 1, track: tempo(7), tempo(8), tempo(9), ending: true))
    let old = first.sequences[0]
    let edits: [(inout MusicSequence) -> Void] = [
      { $0.tracks.swapAt(0, 2) }, { $0.tracks.remove(at: 2) }, { $0.tracks.append($0.tracks[0]) },
      { $0.tracks[1] = second.sequences[0].tracks[1] }, { $0.tracks = [MusicTrack()] },
      { $0.tracks.insert(MusicTrack(), at: 0) },
    ]
    for edit in edits {
      var sequence = old
      edit(&sequence)
      #expect(try SMFWriter().losses(of: sequence).isEmpty)
      #expect(try reread(sequence).tempoTrack.all == old.tempoTrack.all)
    }
  }
}
