// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Insert, delete and scale time.
@Suite struct TimeEditTests {
  @Test(arguments: RandomScore.seeds)
  func `insertTime moves what follows, lengthens what sounds, and deleteTime undoes it`(
    seed: UInt64
  ) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let place = max(1, score.tick())
    let ticks = score.number(1...700)
    var new = old
    try new.insertTime(ticks, at: Tick(place))
    #expect(new.count == old.count)
    for (was, now) in zip(old.all, new.all) {
      #expect(now.tick.value == was.tick.value + (was.tick.value >= place ? ticks : 0))
      let isLater = was.tick.value >= place || was.end > place
      #expect(now.end == was.end + (isLater ? ticks : 0))
    }
    new.deleteTime(Tick(place)..<Tick(place + ticks))
    #expect(new.all == old.all)
    if (old.explicitLength ?? old.length) == old.length { #expect(Content(new) == Content(old)) }
  }

  @Test(arguments: RandomScore.seeds)
  func `time inserted at the origin leaves what sets up there, and deleteTime undoes it`(
    seed: UInt64
  ) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    var new = old
    try new.insertTime(480, at: 0)
    let isSetup = { (event: TrackEvent) in
      switch event.content {
      case .message(let message): message.status >= 0xB0
      case .sysEx, .parameter, .packet: true
      case .meta(let meta): meta.textType == nil
      case .note, .user: false
      }
    }
    #expect(new.all.filter { $0.tick < 480 } == old.all.filter { $0.tick == 0 && isSetup($0) })
    #expect(
      new.all.filter { $0.tick >= 480 }
        == old.all.filter { $0.tick > 0 || !isSetup($0) }.moved(by: 480))
    new.deleteTime(0..<480)
    #expect(new.all.counted == old.all.counted)
  }

  @Test(arguments: RandomScore.seeds)
  func `deleteTime shortens what sounds through, and leaves the values in force`(
    seed: UInt64
  ) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let end = min(range.upperBound.value, max(range.lowerBound.value, old.length.value))
    let cut = end - range.lowerBound.value
    var new = old
    new.deleteTime(range)
    let notes = old.all.filter { $0.isNote && !range.contains($0.tick) }
    for (was, now) in zip(notes, new.all.filter(\.isNote)) {
      let overlap = max(0, min(was.end, end) - max(was.tick.value, range.lowerBound.value))
      let isLater = was.tick >= range.upperBound
      #expect(now.tick.value == was.tick.value - (isLater ? cut : 0))
      #expect(now.end - now.tick.value == was.end - was.tick.value - (isLater ? 0 : overlap))
    }
    #expect(new.all.filter(\.isNote).count == notes.count)
    #expect(
      new.all.filter { $0.tick < range.lowerBound && !$0.isNote }
        == old.all.filter { $0.tick < range.lowerBound && !$0.isNote })
    for tick in stride(from: end, through: RandomScore.span + 1, by: 97) {
      let was = ValuesInForce(old, at: Tick(tick))
      #expect(ValuesInForce(new, at: Tick(tick - cut)) == was)
    }
  }

  @Test func `deleteTime keeps the tempo and the meter of what follows`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try RandomScore.line(ticks: [0, 1920, 3840], lasting: 480)]
    let slow = try #require(Tempo(microsecondsPerQuarter: 1_000_000))
    try sequence.insertTempo(slow, at: 960)
    try sequence.insertTimeSignature(TimeSignature(numerator: 3, denominator: 4), at: 1000)
    try sequence.deleteTime(480..<1920)
    #expect(
      try sequence.tempoMap.changes == [
        .init(tick: 0, tempo: .standard), .init(tick: 480, tempo: slow),
      ])
    #expect(sequence.timeSignatures.map(\.tick) == [480])
    #expect(sequence.tracks[0].all.map(\.tick.value) == [0, 480, 2400])
  }

  @Test func `deleteTime keeps programs with their banks and registered parameters in order`()
    throws
  {
    let one = Channel(index: 0)
    let suite: [(UInt8, UInt8)] = [(101, 0), (100, 0), (6, 12), (0, 3), (0, 1)]
    var track = MusicTrack()
    for (controller, value) in suite {
      try track.insert(
        .message(Message(status: 0xB0, data1: controller, data2: value)), at: 100)
    }
    try track.insert(.message(.program(one, 7)), at: 110)
    try track.insert(.message(Message(status: 0xB0, data1: 7, data2: 10)), at: 120)
    try track.insert(.message(Message(status: 0xB0, data1: 7, data2: 90)), at: 130)
    try track.insert(.meta(.text("gone", type: .lyric)), at: 130)
    try track.insert(.note(Note(one, Key(60), duration: 10)), at: 500)
    track.deleteTime(50..<450)
    let kept = track.all
    #expect(kept.map(\.tick.value) == [50, 50, 50, 50, 50, 50, 50, 100])
    #expect(kept[5].content == .message(.program(one, 7)))
    #expect(kept[6].content == .message(Message(status: 0xB0, data1: 7, data2: 90)))
  }

  @Test(arguments: RandomScore.seeds)
  func `scaling by 2 and by a half is as not scaling`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let end = min(range.upperBound.value, max(range.lowerBound.value, old.length.value))
    let ticks = end - range.lowerBound.value
    var new = old
    try new.scaleTime(range, by: 2)
    for (was, now) in zip(old.all, new.all) {
      #expect(now.tick.value == Self.scaled(was.tick.value, range.lowerBound.value, end))
      #expect(now.end == Self.scaled(was.end, range.lowerBound.value, end))
    }
    try new.scaleTime(
      range.lowerBound..<range.lowerBound.advanced(by: 2 * ticks), by: Ratio(1, over: 2))
    #expect(Content(new) == Content(old))
  }

  private static func scaled(_ tick: Int64, _ start: Int64, _ end: Int64) -> Int64 {
    tick <= start ? tick : tick <= end ? start + 2 * (tick - start) : tick + end - start
  }

  @Test(arguments: RandomScore.seeds)
  func `scaling keeps the order, the count and what lies before the range`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let factor = Ratio(score.number(1...9), over: score.number(1...9))
    var new = old
    try new.scaleTime(range, by: factor)
    #expect(new.count == old.count)
    for (was, now) in zip(old.all, new.all) {
      if was.end <= range.lowerBound.value { #expect(now == was) }
      if was.end > was.tick.value { #expect(now.end > now.tick.value) }
      guard case .note(let first) = was.content, case .note(let second) = now.content else {
        #expect(was.content == now.content)
        continue
      }
      #expect(first.key == second.key)
    }
  }

  @Test func `an invalid factor is refused`() throws {
    var track = try RandomScore.line(ticks: [0], lasting: 480)
    #expect(throws: SequenceError.self) { try track.scaleTime(.allTicks, by: 0) }
    #expect(throws: SequenceError.self) { try track.scaleTime(.allTicks, by: -1) }
    #expect(throws: SequenceError.self) { try track.scaleTime(.allTicks, by: 2_147_483_647) }
    #expect(throws: SequenceError.self) { try track.insertTime(-1, at: 0) }
    #expect(track.all.map(\.end) == [480])
  }
}

/// The last value of every controller, program, bend and pressure before or at a tick.
struct ValuesInForce: Equatable {
  private var messages: [Int: Message] = [:]

  init(_ track: MusicTrack, at tick: Tick) {
    for event in track.events {
      guard event.tick <= tick, case .message(let message) = event.content,
        message.status >= 0xB0
      else { continue }
      let number = message.status < 0xC0 ? Int(message.data1) : 0
      messages[Int(message.status) << 8 | number] = message
    }
  }
}
