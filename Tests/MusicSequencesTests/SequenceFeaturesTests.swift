// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import Testing

@Suite struct SequenceFeaturesTests {
  @Test(arguments: [
    (0, false, "C major"), (0, true, "A minor"), (1, false, "G major"), (-1, false, "F major"),
    (-2, false, "B♭ major"), (-3, true, "C minor"), (3, true, "F♯ minor"), (6, false, "F♯ major"),
    (7, false, "C♯ major"), (7, true, "A♯ minor"), (-7, false, "C♭ major"), (-7, true, "A♭ minor"),
    (-5, true, "B♭ minor"), (-4, true, "F minor"), (4, true, "C♯ minor"),
  ])
  func `keys have their names`(sharps: Int8, isMinor: Bool, name: String) throws {
    let key = try #require(KeySignature([UInt8(bitPattern: sharps), isMinor ? 1 : 0]))
    #expect(key.description == name)
  }

  @Test(
    arguments: [
      ([0x43, 0x10, 0x4C, 0, 0, 0x7F, 0, 0xF7], .yamahaXG),
      ([0x41, 0x10, 0x42, 0x12, 0, 0, 0x7F, 0, 1, 0xF7], .rolandGS),
      ([0x41, 0x10, 0x16, 0x12, 0x7F, 0, 0, 1, 0, 0xF7], .rolandMT32),
      ([0x7E, 0, 9, 2, 0xF7], .generalMIDIOff),
    ] as [([UInt8], SequenceFeatures.Reset)])
  func `what resets the voices is found as a reset`(
    bytes: [UInt8], reset: SequenceFeatures.Reset
  ) throws {
    var track = MusicTrack()
    try track.insert(.sysEx(bytes), at: 0)
    var sequence = MusicSequence()
    sequence.tracks = [track]
    #expect(SequenceFeatures([sequence]).resets == [reset])
  }

  @Test func `an invalid key signature gives nil`() {
    #expect(KeySignature([8, 0]) == nil)
    #expect(KeySignature([0, 2]) == nil)
    #expect(KeySignature([0]) == nil)
  }

  @Test func `words, ports, keys and resets are found, each once`() throws {
    var track = MusicTrack()
    for meta: MetaEvent in [
      .text("la", type: .lyric), .text("lu", type: .lyric), .text("Coda", type: .marker),
      .text("Piano", type: .deviceName), .text("Piano", type: .deviceName),
      MetaEvent(type: 0x21, bytes: [3]), .keySignature(sharps: -3, isMinor: false),
      .keySignature(sharps: -3, isMinor: false),
    ] {
      try track.insert(.meta(meta), at: 7)
    }
    for bytes: [UInt8] in [
      [0x7E, 0x7F, 9, 1, 0xF7], [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7],
      [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7], [0x7E, 0x10, 9, 1, 0xF7], [0x7E, 0x7F, 9, 1],
      [0x7E, 0xF7],
    ] {
      try track.insert(.sysEx(bytes), at: 0)
    }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    let features = SequenceFeatures([sequence])
    #expect(features.lyrics == 2)
    #expect(features.markers.map(\.text.string) == ["Coda"])
    #expect(features.markers.map(\.tick) == [7])
    #expect(features.ports == [.device(MetaText(Array("Piano".utf8))), .number(3)])
    #expect(features.keys.map(\.description) == ["E♭ major"])
    #expect(features.resets == [.generalMIDI, .rolandGS, .yamahaXG])
  }
}
