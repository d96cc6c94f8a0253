// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct ReverseTests {
  @Test func `a range to the last tick there is sets nothing after it`() throws {
    let last: Int64 = (1 << 48) - 1
    var track = MusicTrack()
    let channel = Channel(index: 0)
    for (tick, value) in [(last - 200, 10), (last - 100, 20)] as [(Int64, UInt8)] {
      try track.insert(
        TrackEvent(.message(.control(channel, .volume, value: value)), at: Tick(tick)))
    }
    let note = Note(channel, Key(60), duration: 1_000)
    try track.insert(TrackEvent(.note(note), at: Tick(last - 50)))
    try track.reverse(Tick(last - 300)..<Tick(.max))
    let ticks = track.events.map(\.tick)
    #expect(ticks == ticks.sorted() && ticks.allSatisfy { $0 >= Tick(last - 300) }, "\(ticks)")
  }

  @Test(arguments: RandomScore.seeds)
  func `notes inside the range are mirrored and all others stay`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let (start, end) = (range.lowerBound.value, min(range.upperBound.value, old.length.value))
    guard end > start + 1 else { return }
    var new = old
    try new.reverse(range)
    let expected = old.all.filter(\.isNote).map { event in
      guard event.tick.value >= start, event.tick.value < end, event.end <= end else {
        return event
      }
      let length = max(1, event.end - event.tick.value)
      return TrackEvent(event.content, at: Tick(start + end - event.tick.value - length))
    }
    #expect(new.all.filter(\.isNote).counted == expected.counted)
    #expect(new.all == new.all.inOrder)
    #expect(new.length == old.length)
    #expect(new.all.filter { $0.tick.value < start } == old.all.filter { $0.tick.value < start })
  }

  @Test(arguments: RandomScore.seeds)
  func `every instant of the range has the values that it had`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let (start, end) = (range.lowerBound.value, min(range.upperBound.value, old.length.value))
    guard end > start + 1 else { return }
    var new = old
    try new.reverse(range)
    for tick in stride(from: start, to: end, by: 13) {
      let was = AudibleValues(old, at: Tick(tick))
      #expect(AudibleValues(new, at: Tick(start + end - 1 - tick)) == was)
    }
    // A whole track that ends with the range has nothing after it to set values for.
    guard end < old.length.value else { return }
    for tick in stride(from: end, to: end + 300, by: 31) {
      #expect(AudibleValues(new, at: Tick(tick)) == AudibleValues(old, at: Tick(tick)))
    }
  }

  @Test(arguments: RandomScore.seeds)
  func `notes reversed twice are as they were`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.notes(50)
    let range = score.range()
    var new = old
    try new.reverse(range)
    try new.reverse(range)
    #expect(new.all.counted == old.all.counted)
  }

  @Test(arguments: RandomScore.seeds)
  func `a reversed sequence and every part of it lasts exactly as long`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.sequence()
    var whole = old
    try whole.reverse()
    let map = try old.tempoMap
    let seconds = map.seconds(at: old.length)
    #expect(whole.length == old.length)
    let mirrored = try whole.tempoMap
    #expect(mirrored.seconds(at: whole.length) == seconds)
    for tick in stride(from: 0, through: old.length.value, by: 101) {
      let rest = try seconds - map.seconds(at: Tick(tick))
      #expect(mirrored.seconds(at: Tick(old.length.value - tick)) == rest)
    }
    var part = old
    try part.reverse(score.range())
    let after = try part.tempoMap
    #expect(after.seconds(at: old.length) == seconds)
    try whole.reverse()
    #expect(try Self.isSame(whole.tempoMap, map, through: old.length))
  }

  /// True if two maps give every tick the same time, even with different changes.
  private static func isSame(_ left: TempoMap, _ right: TempoMap, through end: Tick) -> Bool {
    (0...20).allSatisfy { step in
      let tick = Tick(end.value * Int64(step) / 20)
      return left.seconds(at: tick) == right.seconds(at: tick)
    }
  }

  @Test func `what sets a device up stays, and texts go with their music`() throws {
    var track = try RandomScore.line(ticks: [0, 480, 960], lasting: 480)
    try track.insert(.sysEx([0x7E, 0x7F, 9, 1, 0xF7]), at: 0)
    try track.insert(.meta(.text("name", type: .trackName)), at: 0)
    for (tick, word) in [(0, "one"), (480, "two"), (960, "three")] {
      try track.insert(.meta(.text(word, type: .lyric)), at: Tick(Int64(tick)))
    }
    try track.insert(.message(.program(Channel(index: 0), 5)), at: 480)
    let old = track
    try track.reverse(.allTicks)
    func ticks(of wanted: TrackEvent.Content) -> [Int64] {
      track.all.filter { $0.content == wanted }.map(\.tick.value)
    }
    #expect(ticks(of: .sysEx([0x7E, 0x7F, 9, 1, 0xF7])) == [0])
    #expect(ticks(of: .meta(.text("name", type: .trackName))) == [0])
    #expect(ticks(of: .meta(.text("three", type: .lyric))) == [0])
    #expect(ticks(of: .meta(.text("one", type: .lyric))) == [960])
    #expect(ticks(of: .message(.program(Channel(index: 0), 5))) == [0])
    #expect(ticks(of: .message(.program(Channel(index: 0), 0))) == [960])
    #expect(track.length == old.length)
  }
}

/// The values in force.
///
/// Those that no event sets are the values of a reset device.
struct AudibleValues: Equatable {
  private var messages: [Int: Message] = [:]

  init(_ track: MusicTrack, at tick: Tick) {
    for channel in 0..<16 as Range<UInt8> {
      for (number, value) in [(1, 0), (7, 100), (10, 64), (64, 0)] as [(UInt8, UInt8)] {
        set(Message(status: 0xB0 | channel, data1: number, data2: value))
      }
      set(Message(status: 0xC0 | channel, data1: 0))
      set(Message(status: 0xD0 | channel, data1: 0))
      set(Message(status: 0xE0 | channel, data1: 0, data2: 64))
    }
    for event in track.events {
      guard event.tick <= tick, case .message(let message) = event.content,
        message.status >= 0xB0
      else { continue }
      set(message)
    }
  }

  private mutating func set(_ message: Message) {
    let number = message.status < 0xC0 ? Int(message.data1) : 0
    messages[Int(message.status) << 8 | number] = message
  }
}
