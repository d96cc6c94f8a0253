// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Notes of any pitch: the keys that they take, and how these are tuned.
@Suite struct TunedNoteTests {
  private static func note(
    _ key: Key, cents: Double, at tick: Tick, duration: Int64 = 480, channel: Channel = 1
  ) throws -> TunedNote {
    TunedNote(channel, try #require(Pitch(key, cents: cents)), at: tick, duration: duration)
  }

  /// The keys of the track's notes with the cents by which each is tuned while it sounds, as a
  /// device would have it that heeds every message in order.
  private static func heard(_ track: MusicTrack) -> [String] {
    var tunings: [UInt8: Int32] = [:]
    var heard: [String] = []
    var sequence = MusicSequence()
    sequence.tracks = [track]
    var cursor = SequenceCursor(playing: sequence)
    while let event = cursor.next(before: Tick(1 << 40)) {
      switch event.kind {
      case .sysEx(let range):
        let bytes = track.payload(range)
        #expect(bytes.count == 11 && bytes.starts(with: [0x7E, 0x7F, 8, 7, 0, 112, 1]))
        tunings[bytes[7]] = Int32(bytes[8]) << 14 | Int32(bytes[9]) << 7 | Int32(bytes[10])
      case .message(let message) where message.status & 0xF0 == 0x90 && message.data2 > 0:
        let steps = tunings[message.data1] ?? Pitch(Key(message.data1)).steps
        let cents = Double(steps - Pitch(Key(message.data1)).steps) * 100 / 16_384
        heard.append("\(event.tick.value) \(message.data1) \(Int(cents.rounded()))")
      default: break
      }
    }
    return heard
  }

  @Test func `a note is a key and its tuning, and the next on that key is in tune`() throws {
    var track = MusicTrack()
    try track.insert(.note(Note(1, 60, duration: 480)), at: 960)
    try track.insert(tuned: [try Self.note(60, cents: 31, at: 0)])
    #expect(Self.heard(track) == ["0 60 31", "960 60 0"])
    let selection = track.events.prefix { $0.tick == .zero }.compactMap { event in
      if case .message(let message) = event.content { message } else { nil }
    }
    #expect(selection.map(\.data1) == [101, 100, 6, 101, 100])
    #expect(selection.map(\.data2) == [0, 3, 112, 127, 127])
    let index = try #require(track.events.firstIndex { $0.content.isNote })
    #expect(track.pitch(ofNoteAt: index) == Pitch(60, cents: 31))
    #expect(track.pitch(ofNoteAt: track.count - 1) == Pitch(60))
    #expect(track.pitch(ofNoteAt: 0) == nil)
  }

  @Test func `simultaneous notes take different keys, in any order of insertion`() throws {
    var track = MusicTrack()
    try track.insert(.note(Note(1, 60, duration: 960)), at: 0)
    try track.insert(.note(Note(1, 61, duration: 10)), at: 300)
    try track.insert(tuned: [
      try Self.note(60, cents: 20, at: 240), try Self.note(60, cents: -20, at: 240),
    ])
    #expect(Self.heard(track) == ["0 60 0", "240 59 120", "240 58 180", "300 61 0"])
  }

  @Test func `one after the other they share a key, in one call or in several`() throws {
    let notes = try [(0, 10), (480, 20), (960, 30)].map {
      try Self.note(60, cents: Double($0.1), at: Tick($0.0))
    }
    var together = MusicTrack()
    try together.insert(tuned: notes.reversed())
    #expect(Self.heard(together) == ["0 60 10", "480 60 20", "960 60 30"])
    var apart = MusicTrack()
    for note in notes { try apart.insert(tuned: [note]) }
    #expect(Self.heard(apart) == ["0 60 10", "480 60 20", "960 60 30"])
    // A note that ends at another note's tuning would undo it, so it takes another key.
    var backward = MusicTrack()
    for note in notes.reversed() { try backward.insert(tuned: [note]) }
    #expect(Self.heard(backward) == ["0 60 10", "480 59 120", "960 60 30"])
  }

  @Test func `a pitch of a free key is a plain note`() throws {
    var track = MusicTrack()
    try track.insert(tuned: [try Self.note(64, cents: 0, at: 0)])
    #expect(track.count == 1)
    #expect(track.events[0].content == .note(Note(1, 64, duration: 480)))
  }

  @Test func `when every key is taken it is an error, and nothing is added`() throws {
    var track = MusicTrack()
    for key in 0..<128 { try track.insert(.note(Note(1, Key(UInt8(key)), duration: 10)), at: 5) }
    #expect(throws: SequenceError.self) {
      try track.insert(tuned: [
        try Self.note(60, cents: 1, at: 0, duration: 5, channel: 2),
        try Self.note(60, cents: 1, at: 8),
      ])
    }
    #expect(track.count == 128)
    #expect(throws: SequenceError.self) {
      try track.insert(tuned: [try Self.note(60, cents: 1, at: -1)])
    }
  }

  @Test func `a file keeps them`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(tuned: [try Self.note(60, cents: 31, at: 0)])
    sequence.tracks = [track]
    let file = SequenceFile([sequence])
    let read = try SMFReader().read(SMFWriter().write(file))
    #expect(read.sequences[0].tracks.last.map(Self.heard) == ["0 60 31"])
  }
}

extension TrackEvent.Content {
  fileprivate var isNote: Bool { if case .note = self { true } else { false } }
}
