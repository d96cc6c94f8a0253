// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// The order of what is emitted at one tick, and which note a note-off ends.
@Suite struct TickOrderTests {
  typealias Events = [(delta: Int, bytes: [UInt8])]

  private static let end: (delta: Int, bytes: [UInt8]) = (960, [0xFF, 1, 0])
  private static let reset: [UInt8] = [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]

  private static func sequence(_ tracks: [Events]) throws -> MusicSequence {
    let bytes = SongBytes.file(tracks: tracks.map { (name: "", events: $0) })
    return try #require(try SMFReader().read(bytes).sequences.first)
  }

  /// The emitted events without metas, as ticks and bytes.
  private static func emitted(by sequence: MusicSequence) -> [String] {
    var cursor = SequenceCursor(playing: sequence)
    var list: [String] = []
    while let event = cursor.next(before: Tick(.max)) {
      switch event.kind {
      case .message(let message):
        let bytes = [message.status, message.data1, message.data2].map { String($0, radix: 16) }
        list.append("\(event.tick.value): \(bytes.joined(separator: " "))")
      case .sysEx: list.append("\(event.tick.value): f0")
      default: continue
      }
    }
    return list
  }

  /// Songs of one track whose events are emitted as they are in the file.
  static let kept: [Events] = [
    [(0, [0x90, 60, 9]), (9, [0xB0, 64, 127]), (0, [0x80, 60, 1]), (9, [0xB0, 64, 0])],
    [(0, [0x90, 60, 9]), (9, [0xB0, 66, 127]), (0, [0x90, 60, 0]), (9, [0xB0, 66, 0])],
    [(0, [0x90, 60, 9]), (9, [0x80, 60, 1]), (0, [0xB0, 64, 127])],
    [(9, [0xE0, 1, 2]), (0, reset), (9, [0x90, 60, 9]), (0, [0x80, 60, 0])],
    [(9, [0x90, 60, 9]), (0, [0xB0, 120, 0]), (9, [0x80, 60, 0])],
    [(9, [0x90, 60, 9]), (0, reset), (0, [0xB0, 7, 9]), (9, [0x80, 60, 0])],
    [(9, [0x91, 60, 9]), (0, [0x81, 60, 0]), (0, [0x91, 60, 8]), (9, [0x81, 60, 0])],
    [(9, [0x90, 60, 9]), (0, [0x90, 60, 0]), (0, [0x90, 60, 8]), (9, [0x90, 60, 0])],
    [
      (0, [0x90, 60, 9]), (0, [0x90, 62, 9]), (9, [0x80, 60, 0]), (0, [0xB0, 64, 127]),
      (0, [0x80, 62, 0]), (0, [0xC0, 5, 0]), (0, [0x90, 64, 1]), (0, [0xB0, 7, 3]),
      (9, [0x80, 64, 0]),
    ],
    [
      (0, [0x90, 60, 9]), (9, [0x80, 60, 0]), (0, [0x90, 60, 8]), (0, [0x80, 60, 0]),
      (0, [0x90, 60, 7]), (0, [0x80, 60, 0]), (0, [0x90, 60, 6]), (9, [0x80, 60, 0]),
    ],
  ]

  @Test(arguments: kept.indices)
  func `one track keeps the order of its file at a tick`(index: Int) throws {
    var events = Self.kept[index]
    // A program has one byte in a file.
    for place in events.indices where events[place].bytes[0] == 0xC0 {
      events[place].bytes = Array(events[place].bytes.prefix(2))
    }
    var tick = 0
    let expected = Self.kept[index].map { event in
      tick += event.delta
      if event.bytes[0] == 0xF0 { return "\(tick): f0" }
      return "\(tick): " + event.bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }
    #expect(Self.emitted(by: try Self.sequence([events])) == expected)
  }

  @Test func `the note-off of an earlier note precedes the note-on of its key`() throws {
    let written = try Self.sequence([
      [(0, [0x90, 60, 9]), (9, [0x90, 60, 8]), (0, [0x80, 60, 0]), (9, [0x80, 60, 0])]
    ])
    #expect(
      Self.emitted(by: written)
        == ["0: 90 3c 9", "9: 80 3c 0", "9: 90 3c 8", "18: 80 3c 0"])
    let pedal = try Self.sequence([
      [
        (0, [0x90, 60, 9]), (9, [0x90, 62, 9]), (0, [0xB0, 64, 127]), (0, [0x90, 60, 8]),
        (0, [0x80, 60, 0]), (9, [0x80, 60, 0]), (0, [0x80, 62, 0]),
      ]
    ])
    #expect(
      Self.emitted(by: pedal) == [
        "0: 90 3c 9", "9: 90 3e 9", "9: b0 40 7f", "9: 80 3c 0", "9: 90 3c 8", "18: 80 3c 0",
        "18: 80 3e 0",
      ])
    let other = try Self.sequence([
      [(9, [0x90, 60, 8]), (9, [0x80, 60, 0])],
      [(0, [0x90, 60, 9]), (9, [0x90, 61, 9]), (0, [0x80, 60, 0]), (1, [0x80, 61, 0])],
    ])
    #expect(
      Self.emitted(by: other) == [
        "0: 90 3c 9", "9: 80 3c 0", "9: 90 3c 8", "9: 90 3d 9", "10: 80 3d 0", "18: 80 3c 0",
      ])
  }

  @Test func `a tempo at the tick changes nothing of the order`() throws {
    let sequence = try Self.sequence([
      [
        (0, [0x90, 60, 9]), (9, [0xFF, 0x51, 3, 7, 0xA1, 0x20]), (0, [0x90, 60, 8]),
        (0, [0x80, 60, 0]), (9, [0x80, 60, 0]),
      ]
    ])
    #expect(
      Self.emitted(by: sequence)
        == ["0: 90 3c 9", "9: 80 3c 0", "9: 90 3c 8", "18: 80 3c 0"])
  }

  @Test func `programs and controllers of all tracks precede the notes of the channel`() throws {
    let sequence = try Self.sequence([
      [(0, [0x90, 60, 9]), (0, [0xB0, 7, 1]), (9, [0x80, 60, 0])],
      [(0, [0xC0, 5]), (0, [0xB0, 10, 1]), (0, [0x90, 61, 9]), (9, [0x80, 61, 0])],
      [(0, Self.reset), (9, Self.end.bytes)],
    ])
    #expect(
      Self.emitted(by: sequence) == [
        "0: c0 5 0", "0: b0 a 1", "0: f0", "0: 90 3c 9", "0: b0 7 1", "0: 90 3d 9", "9: 80 3c 0",
        "9: 80 3d 0",
      ])
  }

  @Test func `a pedal in an earlier track holds what a later track releases at its tick`() throws {
    let sequence = try Self.sequence([
      [(9, [0xB0, 64, 127])], [(0, [0x90, 60, 9]), (9, [0x80, 60, 0])],
    ])
    #expect(Self.emitted(by: sequence) == ["0: 90 3c 9", "9: b0 40 7f", "9: 80 3c 0"])
  }

  /// Songs whose note-off is in another track, and when it ends the note.
  static let crossed: [(tracks: [Events], list: [String])] = [
    (
      [[(0, [0x90, 60, 9])], [(9, [0x80, 60, 3]), end]], ["0: 90 3c 9", "9: 80 3c 3"]
    ),
    (
      [[(0, [0x90, 60, 9]), (99, [0xFF, 1, 0])], [(9, [0x90, 60, 0]), end]],
      ["0: 90 3c 9", "9: 90 3c 0"]
    ),
    (
      [[(5, [0x80, 60, 3])], [(0, [0x90, 60, 9]), (2, [0x90, 60, 8])], [(7, [0x80, 60, 2])]],
      ["0: 90 3c 9", "2: 90 3c 8", "5: 80 3c 3", "7: 80 3c 2"]
    ),
    (
      [[(0, [0x90, 60, 9]), (9, [0x90, 60, 8])], [(9, [0x80, 60, 0]), (9, [0x80, 60, 1])]],
      ["0: 90 3c 9", "9: 80 3c 0", "9: 90 3c 8", "18: 80 3c 1"]
    ),
    (
      [[(0, [0x90, 60, 9])], [(9, [0xB0, 64, 127]), (0, [0x80, 60, 0]), (9, [0xB0, 64, 0])]],
      ["0: 90 3c 9", "9: b0 40 7f", "9: 80 3c 0", "18: b0 40 0"]
    ),
  ]

  @Test(arguments: crossed.indices)
  func `a note-off in another track ends the note when it arrives`(index: Int) throws {
    let (tracks, list) = Self.crossed[index]
    let bytes = SongBytes.file(tracks: tracks.map { (name: "", events: $0) })
    let file = try SMFReader().read(bytes)
    #expect(Self.emitted(by: file.sequences[0]) == list)
    #expect(!file.repairs.contains { $0.kind == .unreleasedNote })
    #expect(try SMFWriter().write(file) == bytes)
  }

  @Test func `a note that no track releases is still reported, and ends with its track`() throws {
    let bytes = SongBytes.file(tracks: [
      ("", [(0, [0x90, 60, 9]), (7, [0xFF, 1, 0])]), ("", [(9, [0x80, 61, 3]), Self.end]),
    ])
    let file = try SMFReader().read(bytes)
    #expect(file.repairs.map(\.kind) == [.unreleasedNote])
    #expect(Self.emitted(by: file.sequences[0]) == ["0: 90 3c 9", "7: 80 3c 40", "9: 80 3d 3"])
  }

  /// Tracks of few keys, channels and ticks, so that everything meets everything.
  private static func random(seed: UInt64) -> [Events] {
    var generator = SplitMix(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    return (0..<number(1...4)).map { _ in
      (0..<40).map { _ in
        let channel = UInt8(number(0...1))
        let key = UInt8(number(60...62))
        let bytes: [UInt8] =
          switch number(0...10) {
          case 0...3: [0x90 | channel, key, UInt8(number(1...127))]
          case 4...6: [0x80 | channel, key, UInt8(number(0...127))]
          case 7: [0x90 | channel, key, 0]
          case 8: [0xB0 | channel, 64, UInt8(number(0...127))]
          case 9: reset
          default: [0xC0 | channel, key]
          }
        return (number(0...3) == 0 ? 1 : 0, bytes)
      }
    }
  }

  @Test(arguments: 1...60)
  func `a song converted to one track emits the same list, in memory and from a file`(
    seed: UInt64
  ) throws {
    let sequence = try Self.sequence(Self.random(seed: seed))
    let list = Self.emitted(by: sequence)
    let single = try #require(try sequence.converted(to: .single).first)
    #expect(Self.emitted(by: single) == list)
    let read = try SMFReader().read(try SMFWriter().write(single))
    #expect(Self.emitted(by: read.sequences[0]) == list)
  }

  @Test(arguments: 1...20)
  func `a song of one track, written after an edit, keeps the order of its file`(
    seed: UInt64
  ) throws {
    let tracks = Self.random(seed: seed)
    var sequence = try Self.sequence([tracks[0]])
    let list = Self.emitted(by: sequence)
    sequence.tracks[0].explicitLength = 10_000
    let read = try SMFReader().read(try SMFWriter().write(sequence))
    #expect(Self.emitted(by: read.sequences[0]) == list)
  }

  /// Each channel's part of a list; note-offs between which nothing of the channel stands are in order.
  private static func part(_ digit: Character, of list: [String]) -> [String] {
    var part: [String] = []
    var releases: [String] = []
    for line in list where line.split(separator: " ")[1].last == digit {
      let words = line.split(separator: " ")
      let isRelease = words[1].first == "8" || words[1].first == "9" && words[3] == "0"
      if !isRelease || releases.first?.split(separator: " ")[0] != words[0] {
        part += releases.sorted()
        releases = []
      }
      if isRelease { releases.append(line) } else { part.append(line) }
    }
    return part + releases.sorted()
  }

  @Test(arguments: 1...20)
  func `a track split by channel keeps the order of each channel`(seed: UInt64) throws {
    let tracks = Self.random(seed: seed).map { $0.filter { $0.bytes[0] < 0xF0 } }
    let sequence = try Self.sequence([tracks[0]])
    let list = Self.emitted(by: sequence)
    var split = sequence
    try split.splitByChannel(track: 0)
    let parts = Self.emitted(by: split)
    for digit: Character in ["0", "1"] {
      #expect(Self.part(digit, of: parts) == Self.part(digit, of: list))
    }
  }

  @Test(arguments: 1...20)
  func `every note that is struck is released once, however short`(seed: UInt64) throws {
    let sequence = try Self.sequence(Self.random(seed: seed))
    var cursor = SequenceCursor(playing: sequence)
    var open: [UInt16: Int] = [:]
    while let event = cursor.next(before: Tick(.max)) {
      guard case .message(let message) = event.kind else { continue }
      let key = UInt16(message.status & 0x0F) << 8 | UInt16(message.data1)
      if event.release != nil { open[key, default: 0] += 1 }
      let isOff = message.status & 0xF0 == 0x80 || message.status & 0xF0 == 0x90
      if event.release == nil, isOff { open[key, default: 0] = max(0, (open[key] ?? 0) - 1) }
    }
    #expect(open.values.allSatisfy { $0 == 0 })
  }

  @Test func `a tick of 70,000 events, all of one key, is emitted whole`() throws {
    var events: Events = [(0, [0x90, 60, 9])]
    for index in 0..<35_000 {
      events.append((index == 0 ? 1 : 0, [0x90, 60, 9]))
      events.append((0, [0x80, 60, 0]))
    }
    events.append((1, [0x80, 60, 0]))
    let list = Self.emitted(by: try Self.sequence([events]))
    #expect(list.count == 70_002)
    #expect(list[1] == "1: 80 3c 0" && list.last == "2: 80 3c 0")
  }

  @Test func `thousands of tracks that meet at one tick are emitted in order`() throws {
    let tracks = (0..<8_000).map { index -> Events in
      let key = UInt8(index % 128)
      let strike: [UInt8] = [0x90, key, 9]
      let release: [UInt8] = [0x80, key, 0]
      return [(0, strike), (5, strike), (0, release), (5, release)]
    }
    let list = Self.emitted(by: try Self.sequence(tracks))
    #expect(list.count == 32_000)
    #expect(list[8_000] == "5: 80 0 0")
  }
}
