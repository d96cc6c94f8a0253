// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Tests for detecting which channels play drums.
@Suite struct DrumChannelsTests {
  private static let xg: [UInt8] = [0xF0, 8, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]
  private static let gm2: [UInt8] = [0xF0, 5, 0x7E, 0x7F, 9, 3, 0xF7]

  /// The message that makes a channel a rhythm part of GS, or no more: 0 to 15, but not 9.
  private static func gsPart(_ channel: UInt8, _ value: UInt8) -> [UInt8] {
    let part: UInt8 = 0x10 | (channel == 9 ? 0 : channel < 9 ? channel + 1 : channel)
    let sum = 0x40 + Int(part) + 0x15 + Int(value)
    return [
      0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, part, 0x15, value, UInt8((128 - sum % 128) % 128),
      0xF7,
    ]
  }

  private func sequence(_ events: [(delta: Int, bytes: [UInt8])]) throws -> MusicSequence {
    let bytes = SongBytes.file(tracks: [(name: "", events: events)])
    return try #require(try SMFReader().read(bytes).sequences.first)
  }

  private func note(_ channel: UInt8) -> [(delta: Int, bytes: [UInt8])] {
    [(10, [0x90 | channel, 60, 9]), (10, [0x80 | channel, 60, 0])]
  }

  @Test func `without SysEx channel 10 plays drums`() throws {
    let drums = try sequence(note(0) + note(9)).drumChannels
    #expect(drums.all == 1 << 9)
    #expect(drums.channels(at: 1000) == 1 << 9)
  }

  @Test func `a rhythm part of GS plays drums, and a melodic channel 10 none`() throws {
    let song = try sequence(
      [(0, Self.gsPart(3, 1)), (0, Self.gsPart(9, 0))] + note(3) + note(9) + note(0))
    #expect(song.drumChannels.all == 1 << 3)
    let inPackets = try sequence(
      [
        (0, [0xF0, 5] + Self.gsPart(3, 2)[2..<7]), (5, [0xF7, 5] + Self.gsPart(3, 2)[7...]),
      ] + note(3))
    #expect(inPackets.drumChannels.all == 1 << 3 | 1 << 9)
  }

  @Test func `banks of kits make drums in XG and GM2, from the next program on`() throws {
    let xg = try sequence(
      [(0, Self.xg), (0, [0xB2, 0, 127]), (0, [0xC2, 0])] + note(2)
        + [(0, [0xB2, 0, 0]), (0, [0xC2, 0])] + note(2) + note(2))
    #expect(xg.drumChannels.channels(at: 15) == 1 << 2 | 1 << 9)
    #expect(xg.drumChannels.channels(at: 35) == 1 << 9)
    #expect(xg.drumChannels.most == 1 << 9)
    let gm2 = try sequence(
      [(0, Self.gm2), (0, [0xB4, 0, 120]), (0, [0xC4, 0]), (0, [0xB9, 0, 121]), (0, [0xC9, 0])]
        + note(4) + note(9))
    #expect(gm2.drumChannels.all == 1 << 4)
    let plain = try sequence([(0, [0xB4, 0, 120]), (0, [0xC4, 0])] + note(4))
    #expect(plain.drumChannels.all == 1 << 9)
  }

  @Test func `a reset takes rhythm parts back`() throws {
    let song = try sequence(
      [(0, Self.gsPart(3, 1))] + note(3) + [(0, Self.gm2)] + note(3) + note(3))
    #expect(song.drumChannels.most == 1 << 9)
    #expect(song.drumChannels.channels(at: 10) == 1 << 3 | 1 << 9)
  }

  @Test func `removing drums leaves what is melodic at its time`() throws {
    var song = try sequence(
      note(9) + [(0, Self.gsPart(2, 1))] + note(2) + [(0, Self.gsPart(2, 0)), (0, [0xC2, 7])]
        + note(2) + [(0, Self.gsPart(9, 0))] + note(9))
    let length = song.length
    song.removeDrums(song.portDrums)
    let notes = song.tracks[0].all.compactMap { event -> Int64? in
      guard case .note = event.content else { return nil }
      return event.tick.value
    }
    #expect(notes == [50, 70])
    #expect(song.length == length)
    var plain = try sequence(note(0) + [(0, [0xC9, 3])] + note(9))
    plain.removeDrums(plain.portDrums)
    #expect(plain.tracks[0].count == 1)
  }

  @Test func `an endless loop and an offset out of range end nothing`() throws {
    var song = try sequence([(0, Self.gsPart(2, 1))] + note(2) + note(0))
    song.tracks[0].settings.loop = TrackSettings.Loop(length: 20)
    #expect(song.drumChannels.all == 1 << 2 | 1 << 9)
    song.tracks[0].settings.loop = nil
    for offset in [Int64.min, .max] {
      song.tracks[0].settings.offset = offset
      try song.transpose(.allTicks, by: 1)
      song.removeDrums(song.portDrums)
      #expect(song.soundingLength >= .zero)
    }
  }
}
