// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Songs of several ports whose tracks are joined, edited and written.
@Suite struct PortJoinTests {
  private typealias Events = [(delta: Int, bytes: [UInt8])]

  /// The events that select the ports of a song.
  enum Words: CaseIterable {
    case numbers, names, both
  }

  private static let reset: [UInt8] = [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]

  private static func sequence(_ tracks: [Events]) throws -> MusicSequence {
    let bytes = SongBytes.file(tracks: tracks.map { (name: "", events: $0) })
    return try #require(try SMFReader().read(bytes).sequences.first)
  }

  /// The events that each port receives, sorted without regard to port numbers.
  ///
  /// Note-offs with nothing else between them are sorted.
  private static func lists(_ sequence: MusicSequence) -> [[String]] {
    var cursor = SequenceCursor(playing: sequence)
    var ports: [UInt8: [String]] = [:]
    while let event = cursor.next(before: Tick(.max)) {
      switch event.kind {
      case .message(let message):
        let bytes = [message.status, message.data1, message.data2].map { String($0, radix: 16) }
        let text = "\(event.tick.value): \(bytes.joined(separator: " "))"
        ports[event.port, default: []].append(text)
      case .sysEx: ports[event.port, default: []].append("\(event.tick.value): f0")
      default: continue
      }
    }
    return ports.values.map(ordered).sorted { one, other in
      one.joined(separator: ",") < other.joined(separator: ",")
    }
  }

  /// Sorts note-offs that follow each other at one tick.
  private static func ordered(_ events: [String]) -> [String] {
    func isRelease(_ event: String) -> Bool {
      let words = event.split(separator: " ")
      return words[1].hasPrefix("8") || words[1].hasPrefix("9") && words[3] == "0"
    }
    func isBefore(_ event: String, _ other: String) -> Bool {
      event.prefix { $0 != ":" } == other.prefix { $0 != ":" } ? event < other : false
    }
    var result: [String] = []
    var start = 0
    for event in events {
      result.append(event)
      guard isRelease(event) else {
        start = result.count
        continue
      }
      var place = result.count - 1
      while place > start, isBefore(event, result[place - 1]) {
        result.swapAt(place, place - 1)
        place -= 1
      }
    }
    return result
  }

  /// Tracks that change ports, of few keys, channels and ticks, so that everything meets everything.
  private static func random(seed: UInt64, _ words: Words, tracks: Int = 4) -> [Events] {
    var generator = SplitMix(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    return (0..<tracks).map { _ in
      (0..<40).map { _ in
        let channel = UInt8(number(0...1))
        let key = UInt8(number(60...61))
        let bytes: [UInt8] =
          switch number(0...13) {
          case 0...3: [0x90 | channel, key, UInt8(number(1...127))]
          case 4...6: [0x80 | channel, key, UInt8(number(0...127))]
          case 7: [0x90 | channel, key, 0]
          case 8: [0xB0 | channel, 64, UInt8(number(0...127))]
          case 9: reset
          case 10...11 where words != .numbers: [0xFF, 0x09, 1, UInt8(number(65...67))]
          case 10...12 where words != .names: [0xFF, 0x21, 1, UInt8(number(0...3))]
          default: [0xC0 | channel, key]
          }
        return (number(0...3) == 0 ? 1 : 0, bytes)
      }
    }
  }

  private func expectSame(_ sequence: MusicSequence, _ other: MusicSequence) {
    #expect(Self.lists(other) == Self.lists(sequence))
  }

  @Test(arguments: 1...60, Words.allCases)
  func `a song joined into one track sends each port the same, in memory and from a file`(
    seed: UInt64, words: Words
  ) throws {
    let sequence = try Self.sequence(Self.random(seed: seed, words))
    let single = try #require(try sequence.converted(to: .single).first)
    expectSame(sequence, single)
    let read = try SMFReader().read(try SMFWriter().write(single))
    expectSame(sequence, read.sequences[0])
    let back = try #require(try single.converted(to: .simultaneous).first)
    #expect(back.tracks.flatMap(\.all).filter { !$0.isOfPort }.count > 0)
  }

  @Test(arguments: 1...30)
  func `two tracks of four, joined over a range, keep their ports`(seed: UInt64) throws {
    // The first track holds the first port, so that no other takes its place.
    let first: Events = [(0, [0xFF, 0x21, 1, 0]), (0, [0x95, 1, 1]), (99, [0x85, 1, 0])]
    let random = Self.random(seed: seed, .numbers)
    var sequence = try Self.sequence([first] + random)
    let counts = Self.lists(sequence).map(\.count)
    try sequence.join([1, 2, 3], in: 3..<7)
    #expect(Self.lists(sequence).map(\.count).sorted() == counts.sorted())
    try sequence.join([1, 2])
    #expect(Self.lists(sequence).map(\.count).sorted() == counts.sorted())
  }

  @Test func `a conductor's reset goes to the first port, and one port needs no numbers`() throws {
    let note: Events = [(0, [0x90, 60, 100]), (10, [0x80, 60, 64])]
    let one = try Self.sequence([[(0, Self.reset)], [(0, [0xFF, 0x21, 1, 0])] + note])
    let joined = try #require(try one.converted(to: .single).first)
    #expect(joined.tracks[0].all.filter(\.isOfPort).count == 1)
    let two = try Self.sequence([
      [(0, Self.reset)], [(0, [0xFF, 0x21, 1, 5])] + note, [(0, [0xFF, 0x21, 1, 2])] + note,
    ])
    let single = try #require(try two.converted(to: .single).first)
    expectSame(two, single)
    #expect(TrackPorts(single).names == [.number(5), .number(2)])
  }

  @Test func `names that meet numbers in one track become free numbers`() throws {
    let note: Events = [(0, [0x90, 60, 100]), (10, [0x80, 60, 64])]
    let sequence = try Self.sequence([
      [(0, [0xFF, 0x09, 1, 65])] + note, [(0, [0xFF, 0x21, 1, 0])] + note,
      [(0, [0xFF, 0x09, 1, 66])] + note,
    ])
    let single = try #require(try sequence.converted(to: .single).first)
    expectSame(sequence, single)
    #expect(TrackPorts(single).names == [.number(1), .number(0), .number(2)])
    let texts = single.tracks[0].all.compactMap { event -> [UInt8]? in
      guard case .meta(let meta) = event.content, meta.type == 0x09 else { return nil }
      return meta.bytes
    }
    #expect(texts == [[65], [66]])
  }

  @Test(arguments: 1...30)
  func `edits that move events keep each on its port, also in a file`(seed: UInt64) throws {
    let tracks = Self.random(seed: seed, .numbers, tracks: 1)
    var sequence = try Self.sequence(tracks)
    let counts = Self.lists(sequence).map(\.count).sorted()
    let grid = try sequence.grid(step: 3)
    try sequence.quantize(.allTicks, to: grid, movesEnds: true)
    #expect(Self.lists(sequence).map(\.count).sorted() == counts)
    try sequence.move(2..<5, by: 3)
    #expect(Self.lists(sequence).map(\.count).sorted() == counts)
    let read = try SMFReader().read(try SMFWriter().write(sequence))
    if try SMFWriter().losses(of: sequence).isEmpty { expectSame(sequence, read.sequences[0]) }
    try sequence.reverse()
    #expect(Self.lists(sequence).count == counts.count)
  }

  @Test func `a note that ends after a change of port is read on its own`() throws {
    var sequence = try Self.sequence([
      [
        (0, [0xFF, 0x21, 1, 0]), (0, [0x90, 60, 100]), (10, [0x80, 60, 1]),
        (10, [0xFF, 0x21, 1, 1]), (0, [0x90, 60, 90]), (30, [0x80, 60, 2]), (10, [0x90, 61, 80]),
        (10, [0x81, 61, 3]),
      ]
    ])
    // The first note now ends while the second sounds, on the same key of the other port.
    sequence.tracks[0].clear(0..<1)
    try sequence.tracks[0].insert(.meta(MetaEvent(type: 0x21, bytes: [0])), at: 0)
    try sequence.tracks[0].insert(
      .note(Note(Channel(index: 0), Key(60), velocity: 100, duration: 30, releaseVelocity: 1)),
      at: 0)
    #expect(try SMFWriter().losses(of: sequence).isEmpty)
    let read = try SMFReader().read(try SMFWriter().write(sequence))
    expectSame(sequence, read.sequences[0])
    #expect(Self.lists(sequence).count == 2)
  }

  @Test func `drums of each port are spared, even if a track changes ports`() throws {
    let xg: Events = [
      (0, [0xF0, 8, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]), (0, [0xB2, 0, 127]), (0, [0xC2, 0]),
    ]
    let strikes: Events = [
      (0, [0x92, 60, 100]), (10, [0x82, 60, 64]), (0, [0x99, 60, 100]), (10, [0x89, 60, 64]),
    ]
    var sequence = try Self.sequence([
      [(0, [0xFF, 0x21, 1, 0])] + xg + strikes + [(0, [0xFF, 0x21, 1, 1])] + strikes
    ])
    try sequence.transpose(.allTicks, by: 2)
    let keys = sequence.tracks[0].all.compactMap { event -> UInt8? in
      guard case .note(let note) = event.content else { return nil }
      return note.key.number
    }
    // Channel 3 of the first port is a drum kit, that of the second is not.
    #expect(keys == [60, 60, 62, 60])
  }

  @Test func `what is left of a song keeps the numbers of its ports`() throws {
    let note: Events = [(10, [0x90, 60, 100]), (10, [0x80, 60, 64])]
    let whole = try Self.sequence([
      [(0, [0xFF, 0x21, 1, 4])] + note, [(0, [0xFF, 0x09, 1, 65])] + note,
      [(0, [0xFF, 0x21, 1, 7])] + note,
    ])
    var song = whole
    var channels = PortChannels.none
    channels[2] = 1
    song.keep(channels: channels)
    #expect(TrackPorts(song).port(of: 2, at: 1) == 2 && TrackPorts(song).count == 3)
    song = whole
    song.tracks[0].settings.offset = 100
    song.truncate(at: 30)
    song.tracks[0].clear(.allTicks)
    #expect(TrackPorts(song).port(of: 1, at: 1) == 1)
    song.keepPorts(TrackPorts(MusicSequence()))
    #expect(TrackPorts(song).port(of: 1, at: 1) == 0)
  }

  @Test func `state is restored after a reset that a track without a port sends later`() throws {
    let sequence = try Self.sequence([
      [(20, Self.reset), (0, [0xB0, 10, 30])],
      [
        (0, [0xFF, 0x21, 1, 0]), (0, [0xB0, 7, 50]), (0, [0xB0, 10, 100]), (30, [0xB0, 7, 60]),
        (20, [0x90, 60, 1]), (9, [0x80, 60, 0]),
      ],
    ])
    let index = ChaseIndex(sequence)
    let before = index.state(at: 10).restoration.messages.map(\.message)
    #expect(
      Set(before) == [
        Message(status: 0xB0, data1: 7, data2: 50), Message(status: 0xB0, data1: 10, data2: 100),
      ])
    let after = index.state(at: 40).restoration
    #expect(after.sysExes.count == 1)
    #expect(
      Set(after.messages.map(\.message)) == [
        Message(status: 0xB0, data1: 7, data2: 60), Message(status: 0xB0, data1: 10, data2: 30),
      ])
  }

  @Test func `300 ports are distinguished up to the limit, and read in time`() throws {
    let tracks = (0..<300).map { index -> Events in
      let name = Array("device \(index)".utf8)
      return [
        (0, [0xFF, 0x09, UInt8(name.count)] + name), (0, [0x90, 60, 1]), (9, [0x80, 60, 0]),
      ]
    }
    let sequence = try Self.sequence(tracks)
    #expect(TrackPorts(sequence).count == 256)
    #expect(TrackPorts(sequence).port(of: 299, at: 1) == 255)
    var changes: Events = []
    for index in 0..<200_000 { changes.append((0, [0xFF, 0x21, 1, UInt8(index & 1)])) }
    let many = try Self.sequence([changes + [(0, [0x90, 60, 1]), (9, [0x80, 60, 0])]])
    #expect(TrackPorts(many).count == 1)
  }
}

extension TrackEvent {
  fileprivate var isOfPort: Bool {
    guard case .meta(let meta) = content else { return false }
    return meta.type == 0x21 || meta.type == 0x09
  }
}
