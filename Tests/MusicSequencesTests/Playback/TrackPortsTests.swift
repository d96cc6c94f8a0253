// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// The port of every event, by FF 21 and FF 09.
@Suite struct TrackPortsTests {
  private typealias Events = [(delta: Int, bytes: [UInt8])]

  private static func sequence(_ tracks: Events...) throws -> MusicSequence {
    let bytes = SongBytes.file(tracks: tracks.map { (name: "", events: $0) })
    return try #require(try SMFReader().read(bytes).sequences.first)
  }

  private static func port(_ number: UInt8) -> Events { [(0, [0xFF, 0x21, 1, number])] }

  private static func device(_ name: String) -> Events {
    [(0, [0xFF, 0x09, UInt8(name.utf8.count)] + Array(name.utf8))]
  }

  private static let note: Events = [(0, [0x90, 60, 100]), (10, [0x80, 60, 64])]

  /// The ports of the note-ons of a sequence, in order.
  private static func ports(_ sequence: MusicSequence) -> [UInt8] {
    var cursor = SequenceCursor(playing: sequence)
    var ports: [UInt8] = []
    while let event = cursor.next(before: Tick(.max)) {
      if event.release != nil { ports.append(event.port) }
    }
    return ports
  }

  @Test func `a file whose only port is 1 has sixteen channels`() throws {
    let song = try Self.sequence(
      [(0, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7])], Self.port(1) + Self.note, Self.note)
    #expect(TrackPorts(song).count == 1)
    #expect(Self.ports(song) == [0, 0])
    #expect(song.portNumbers == [nil, 1, nil])
  }

  @Test func `ports are numbered by first use, and notes without one are on the first`() throws {
    let song = try Self.sequence(
      Self.port(3), Self.note, Self.port(1) + Self.note, Self.port(0) + Self.note,
      Self.port(1) + Self.note)
    #expect(Self.ports(song) == [0, 1, 0, 1])
    #expect(TrackPorts(song).names == [nil, .number(1)])
  }

  @Test func `equal names are one port, and a number wins over a name`() throws {
    let song = try Self.sequence(
      Self.device("A") + Self.note, Self.device("B") + Self.note, Self.device("A") + Self.note,
      Self.device("B") + Self.port(7) + Self.note, Self.port(7) + Self.device("A") + Self.note)
    #expect(Self.ports(song) == [0, 1, 0, 2, 2])
    #expect(song.portNumbers == [0, 1, 0, 7, 7])
  }

  @Test func `a port that changes in mid-track applies to what follows`() throws {
    let song = try Self.sequence(
      Self.note + Self.port(1) + Self.note + Self.port(0) + Self.note + Self.port(1) + Self.note)
    #expect(Self.ports(song) == [0, 1, 0, 1])
    #expect(TrackPorts(song).ports(of: 0) == [0, 1])
  }

  @Test func `a note-off ends the oldest note of its port`() throws {
    let song = try Self.sequence(
      Self.port(0) + [(0, [0x90, 60, 100])] + Self.port(1) + [(10, [0x90, 60, 100])]
        + [(10, [0x80, 60, 64])] + Self.port(0) + [(20, [0x80, 60, 64])])
    let ends = song.tracks[0].all.compactMap { event -> Int64? in
      guard case .note(let note) = event.content else { return nil }
      return event.tick.value + Int64(note.duration)
    }
    #expect(ends == [40, 20])
  }

  @Test func `the seventeenth port is counted`() throws {
    var tracks: [Events] = []
    for number in 0..<17 { tracks.append(Self.port(UInt8(number)) + Self.note) }
    let bytes = SongBytes.file(tracks: tracks.map { (name: "", events: $0) })
    let song = try #require(try SMFReader().read(bytes).sequences.first)
    #expect(TrackPorts(song).count == 17)
    #expect(Self.ports(song) == Array(0...16))
  }

  @Test func `a reset makes drums on its port alone`() throws {
    let xg: Events = [
      (0, [0xF0, 8, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]), (0, [0xB2, 0, 127]), (0, [0xC2, 0]),
    ]
    let strike: Events = [(0, [0x92, 60, 100]), (10, [0x82, 60, 64])]
    var song = try Self.sequence(Self.port(0) + xg + strike, Self.port(1) + strike)
    let drums = song.portDrums
    #expect((drums[0].all, drums[1].all) == (1 << 2 | 1 << 9, 1 << 9))
    song.removeDrums(drums)
    #expect(song.tracks.map(\.hasNotes) == [false, true])
  }

  @Test func `channels are kept port by port`() throws {
    var song = try Self.sequence(Self.port(0) + Self.note, Self.port(1) + Self.note)
    var channels = PortChannels.all
    channels[1] &= ~1
    song.keep(channels: channels)
    #expect(song.tracks.map(\.hasNotes) == [true, false])
  }
}

extension MusicTrack {
  fileprivate var hasNotes: Bool {
    all.contains { if case .note = $0.content { true } else { false } }
  }
}
