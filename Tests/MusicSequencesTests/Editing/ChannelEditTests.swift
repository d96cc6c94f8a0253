// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Split by channel, join, and the formats of files.
@Suite struct ChannelEditTests {
  @Test(arguments: RandomScore.seeds)
  func `split and joined again, a track has what it had`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let parts = try old.splitByChannel()
    for part in parts {
      #expect(part.channels.count <= 1)
      let hasLoop = old.settings.loop != nil
      #expect(part.explicitLength == (hasLoop ? old.length : old.explicitLength))
      #expect(part.settings == old.settings)
      #expect(part.all == old.all.filter { part.all.contains($0) })
    }
    let joined = try MusicTrack(joining: parts)
    #expect(joined.all == joined.all.inOrder)
    #expect(joined.all.counted == old.all.counted)
    #expect(joined.length == old.length)
    #expect(try joined.splitByChannel().map(\.all) == parts.map(\.all))
  }

  @Test(arguments: RandomScore.seeds)
  func `split over a range leaves the rest in one track`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let parts = try old.splitByChannel(in: range)
    for part in parts.dropLast() { #expect(part.all.allSatisfy { range.contains($0.tick) }) }
    let outside = old.all.filter { !range.contains($0.tick) }
    if let last = parts.last, !outside.isEmpty {
      #expect(last.all.filter { !range.contains($0.tick) } == outside)
    }
    #expect(try MusicTrack(joining: parts).all.counted == old.all.counted)
  }

  @Test func `ports go with every part, and a channel prefix takes its names along`() throws {
    var track = MusicTrack()
    try track.insert(.meta(MetaEvent(type: 0x21, bytes: [2])), at: 0)
    try track.insert(.meta(.text("song", type: .trackName)), at: 0)
    try track.insert(.meta(MetaEvent(type: 0x20, bytes: [3])), at: 0)
    try track.insert(.meta(.text("bass", type: .instrumentName)), at: 0)
    for channel in [0, 3] as [UInt8] {
      try track.insert(.note(Note(Channel(index: channel), Key(40), duration: 9)), at: 10)
    }
    let parts = try track.splitByChannel()
    #expect(parts.map(\.count) == [2, 4, 2])
    #expect(parts[1].firstText(.instrumentName) == Array("bass".utf8))
    #expect(parts[2].firstText(.trackName) == Array("song".utf8))
    #expect(try MusicTrack(joining: parts).all.counted == track.all.counted)
  }

  @Test func `joining a range moves it and removes the tracks that are left empty`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [
      try RandomScore.line(ticks: [0, 480], lasting: 10),
      try RandomScore.line(ticks: [0, 480], lasting: 20),
      try RandomScore.line(ticks: [480], lasting: 30),
    ]
    try sequence.join([2, 0, 1], in: 480..<960)
    #expect(sequence.tracks.map { $0.all.map(\.end) } == [[10, 490, 500, 510], [20]])
    try sequence.join([0, 1])
    #expect(sequence.tracks.map { $0.all.map(\.end) } == [[10, 20, 490, 500, 510]])
  }

  @Test(arguments: RandomScore.seeds)
  func `from format 1 to 0 and back every event is there`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    let single = try #require(try old.converted(to: .single).first)
    #expect(single.tracks.count == 1)
    #expect(single.tempoTrack.all == old.tempoTrack.all)
    let back = try #require(try single.converted(to: .simultaneous).first)
    let was = old.tracks.flatMap(\.all).counted
    #expect(back.tracks.flatMap(\.all).counted == was)
    #expect(single.tracks[0].all.counted == was)
    #expect(back.length == old.length)
    for track in back.tracks { #expect(track.channels.count <= 1) }
    let file = try SMFReader(strict: true).read(try SMFWriter().write(single))
    #expect(file.declaredFormat == 0)
    #expect(file.trackCount == 1)
  }

  @Test(arguments: RandomScore.seeds)
  func `from format 1 to 2 and together again is as not at all`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    let patterns = try old.converted(to: .pattern)
    #expect(patterns.count == old.tracks.count)
    let back = try MusicSequence(patterns: patterns, arrangement: .together)
    #expect(back.tracks.map(Content.init) == old.tracks.map(Content.init))
    #expect(back.tempoTrack.all == old.tempoTrack.all)
    #expect(back.format == .simultaneous)
  }

  @Test(arguments: RandomScore.seeds)
  func `the length of patterns in order is the sum of their lengths`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let patterns = try (0..<3).map { _ in try score.sequence() }
    let whole = try MusicSequence(patterns: patterns)
    var seconds = Ratio.zero
    for pattern in patterns {
      seconds = try seconds + pattern.tempoMap.seconds(at: pattern.length)
    }
    #expect(try whole.tempoMap.seconds(at: whole.length) == seconds)
    #expect(whole.tracks.count == patterns.reduce(0) { $0 + $1.tracks.count })
  }

  @Test func `a file goes from format 2 to 1 to 0 to 1 to 2 and is read strictly each time`() throws
  {
    var score = RandomScore(seed: 3)
    let patterns = try score.sequence().converted(to: .pattern)
    var file = try SMFReader().read(SMFWriter().write(patterns[0]))
    file.sequences = patterns
    for format in [1, 0, 1, 2, 0] as [UInt16] {
      try file.convert(to: try #require(MusicSequence.Format(rawValue: format)))
      let read = try SMFReader(strict: true).read(try SMFWriter().write(file))
      #expect(read.declaredFormat == format)
      #expect(read.trackCount == file.trackCount)
      #expect(read.sequences.count == (format == 2 ? file.trackCount : 1))
    }
  }

  @Test func `simultaneous patterns need equal tempi, and all patterns equal divisions`() throws {
    var fast = MusicSequence()
    fast.tracks = [MusicTrack()]
    var slow = fast
    try slow.insertTempo(try #require(Tempo(microsecondsPerQuarter: 900_000)), at: 0)
    #expect(throws: SequenceError.self) {
      try MusicSequence(patterns: [fast, slow], arrangement: .together)
    }
    slow.division = .ppqn(try #require(PPQN(96)))
    #expect(throws: SequenceError.self) { try MusicSequence(patterns: [fast, slow]) }
  }

  @Test func `tempo events of a track that is gone are written with the first`() throws {
    var first = MusicSequence()
    first.tracks = [
      try RandomScore.line(ticks: [0], lasting: 10), try RandomScore.line(ticks: [0], lasting: 20),
    ]
    // A file whose second track holds the tempo, which our own writer would put into the first.
    var bytes = try SMFWriter().write(first)
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40]
    let second = try #require(bytes.indices.dropFirst(20).first { bytes[$0] == 0x4D })
    bytes.insert(contentsOf: tempo, at: second + 8)
    bytes[second + 7] += UInt8(tempo.count)
    var sequence = try SMFReader(strict: true).read(bytes).sequences[0]
    #expect(sequence.tempoChanges.count == 1)
    try sequence.splitByChannel(track: 1)
    try sequence.join([0, 1])
    let read = try SMFReader(strict: true).read(try SMFWriter().write(sequence)).sequences[0]
    #expect(read.tempoChanges == sequence.tempoChanges)
    #expect(read.tempoChanges.count == 1)
  }
}

extension MusicTrack {
  /// The channels of notes and messages.
  var channels: Set<UInt8> {
    Set(
      events.compactMap {
        switch $0.content {
        case .note(let note): note.channel.index
        case .message(let message): message.status & 0x0F
        default: nil
        }
      })
  }
}
