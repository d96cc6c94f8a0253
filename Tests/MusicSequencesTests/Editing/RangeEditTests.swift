// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Clear, cut, copy-insert, merge and move, against the same done to a plain array.
@Suite struct RangeEditTests {
  @Test(arguments: RandomScore.seeds)
  func `clear removes what begins in the range and nothing else`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    var new = old
    new.clear(range)
    #expect(new.all == old.all.filter { !range.contains($0.tick) })
    #expect(new.explicitLength == old.explicitLength)
    #expect(new.settings == old.settings)
  }

  @Test(arguments: RandomScore.seeds)
  func `cut closes the gap and insert opens it again`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    var new = old
    let excerpt = new.cut(range)
    let end = min(range.upperBound, max(range.lowerBound, old.length))
    #expect(excerpt.length == end.value - range.lowerBound.value)
    let kept = old.all.filter { !range.contains($0.tick) }
    let before = kept.filter { $0.tick < range.lowerBound }
    let after = kept.filter { $0.tick >= range.lowerBound }
    #expect(new.all == before + after.moved(by: -excerpt.length))
    #expect(
      excerpt.events.elementsEqual(
        old.all.filter { range.contains($0.tick) }.moved(by: -range.lowerBound.value)))
    try new.insert(excerpt, at: range.lowerBound)
    #expect(new.all == old.all)
    #expect(new.length == old.length)
    // An explicit length shorter than the content is ignored and may change. A loop that starts
    // inside the removed range then starts with the events that follow it.
    guard (old.explicitLength ?? old.length) == old.length else { return }
    let loopStart = old.settings.loop.map { old.length.value - $0.length }
    if let loopStart, range.contains(Tick(loopStart)) { return }
    #expect(Content(new) == Content(old))
  }

  @Test(arguments: RandomScore.seeds)
  func `copy-insert shifts by the length of the excerpt`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let other = try score.track()
    let excerpt = other.excerpt(of: score.range())
    let place = score.tick()
    var new = old
    try new.insert(excerpt, at: Tick(place))
    let before = old.all.filter { $0.tick.value < place }
    let after = old.all.filter { $0.tick.value >= place }
    let added = Array(excerpt.events).moved(by: place)
    #expect(new.all == (before + added + after.moved(by: excerpt.length)).inOrder)
    if let length = old.explicitLength {
      let grows = length.value >= place
      #expect(new.explicitLength == (grows ? length.advanced(by: excerpt.length) : length))
    }
  }

  @Test(arguments: RandomScore.seeds)
  func `merge adds after what is there and moves nothing`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let excerpt = try score.track().excerpt(of: score.range())
    let place = score.tick()
    var new = old
    try new.merge(excerpt, at: Tick(place))
    #expect(new.all == (old.all + Array(excerpt.events).moved(by: place)).inOrder)
    #expect(new.explicitLength == old.explicitLength)
  }

  @Test(arguments: RandomScore.seeds)
  func `move shifts what begins in the range, or refuses as a whole`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let distance = score.number(-1500...1500)
    var new = old
    let selected = old.all.filter { range.contains($0.tick) }
    if let first = selected.first, first.tick.value + distance < 0 {
      #expect(throws: SequenceError.beforeOrigin(first.tick.advanced(by: distance))) {
        try new.move(range, by: distance)
      }
      #expect(Content(new) == Content(old))
    } else {
      try new.move(range, by: distance)
      let rest = old.all.filter { !range.contains($0.tick) }
      let expected =
        distance == 0 ? old.all : (rest + selected.moved(by: distance)).inOrder
      #expect(new.all == expected)
    }
  }

  @Test func `a loop follows its music through cut and insert`() throws {
    var track = try RandomScore.line(ticks: [0, 480, 960, 1440], lasting: 480)
    track.settings.loop = .init(length: 960, count: 2)
    var new = track
    let excerpt = new.cut(480..<1440)
    #expect(new.settings.loop == .init(length: 480, count: 2))
    try new.insert(excerpt, at: 240)
    #expect(new.settings.loop == .init(length: 480, count: 2))
    try new.insert(excerpt, at: 1700)
    #expect(new.settings.loop == .init(length: 1220, count: 2))
    new.cut(0..<Tick(.max))
    #expect(new.settings.loop == nil)
    #expect(new.isEmpty)
  }

  @Test func `a range to the last tick there is takes the last event and opens no abyss`() throws {
    let track = try RandomScore.line(ticks: [0, 480], lasting: 0)
    let excerpt = track.excerpt(of: 240..<Tick(.max))
    #expect(excerpt.count == 1)
    #expect(excerpt.length == 240)
    var other = track
    try other.insert(excerpt, at: 0)
    #expect(other.all.map(\.tick.value) == [240, 240, 720])
    #expect(track.excerpt(of: 240..<480).count == 0)
  }

  @Test func `an edit past the last tick is refused and leaves the track as it was`() throws {
    let track = try RandomScore.line(ticks: [0, 480], lasting: 10)
    var new = track
    let long = TrackExcerpt(silenceOf: 1 << 48)
    #expect(throws: SequenceError.self) { try new.insert(long, at: 240) }
    #expect(throws: SequenceError.self) { try new.move(0..<10, by: .max) }
    #expect(throws: SequenceError.self) { try new.insertTime(.max, at: 0) }
    #expect(throws: SequenceError.self) { try new.insert(long, at: -1) }
    #expect(Content(new) == Content(track))
  }

  @Test(arguments: RandomScore.seeds)
  func `a sequence is cut and put together again with its tempo track`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    let range = score.range()
    var new = old
    let excerpt = try new.cut(range)
    for (index, track) in new.tracks.enumerated() {
      let later = old.tracks[index].all.filter { $0.tick >= range.upperBound }
      #expect(track.all.suffix(later.count).elementsEqual(later.moved(by: -excerpt.length)))
    }
    try new.insert(excerpt, at: range.lowerBound)
    #expect(new.tracks.map(\.all) == old.tracks.map(\.all))
    #expect(new.tempoTrack.all == old.tempoTrack.all)
  }

  @Test func `an edit of one track leaves the others, and an unknown track is refused`() throws {
    var score = RandomScore(seed: 7)
    let old = try score.sequence()
    var new = old
    try new.cut(100..<900, in: .track(0))
    for index in old.tracks.indices.dropFirst() {
      #expect(Content(new.tracks[index]) == Content(old.tracks[index]))
    }
    #expect(new.tempoTrack.all == old.tempoTrack.all)
    #expect(
      throws: SequenceError.outOfRange(
        "track 10 does not exist (number of tracks: \(old.tracks.count))")
    ) {
      try new.clear(.allTicks, in: .track(9))
    }
  }
}

extension RandomScore {
  /// Notes of one key, one after the other.
  static func line(ticks: [Int64], lasting duration: Int64) throws -> MusicTrack {
    var track = MusicTrack()
    try track.insert(
      contentsOf: ticks.map {
        TrackEvent(.note(Note(Channel(index: 0), Key(60), duration: duration)), at: Tick($0))
      })
    return track
  }
}
