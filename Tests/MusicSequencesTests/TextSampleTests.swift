// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import Testing

@Suite struct TextSampleTests {
  private func sample(_ texts: [(MetaEvent.TextType, [UInt8])]) throws -> TextSample {
    var track = MusicTrack()
    for (index, text) in texts.enumerated() {
      let meta = MetaEvent(type: text.0.rawValue, bytes: text.1)
      try track.insert(.meta(meta), at: Tick(Int64(index)))
    }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    return TextSample([sequence])
  }

  @Test func `texts that show their encoding are left out`() throws {
    let plain = try sample([(.trackName, Array("Piano".utf8)), (.lyric, Array("la".utf8))])
    #expect(plain.bytes.isEmpty)
    #expect(!plain.hasUTF8)
    let unicode = try sample([(.trackName, Array("Klavier für".utf8)), (.lyric, Array("la".utf8))])
    #expect(unicode.bytes.isEmpty)
    #expect(unicode.hasUTF8)
  }

  @Test func `lyrics are one text, and names are apart`() throws {
    let words = try sample([(.lyric, [0x93]), (.lyric, Array("la".utf8)), (.lyric, [0x94])])
    #expect(words.bytes == [0x93, 0x6C, 0x61, 0x94])
    let names = try sample([(.marker, [0xE9]), (.marker, [0xFC])])
    #expect(names.bytes == [0xE9, 0x0A, 0xFC, 0x0A])
  }

  @Test func `UTF-8 that is cut into syllables is UTF-8`() throws {
    let bytes = Array("été".utf8)
    let words = try sample(bytes.map { (.lyric, [$0]) })
    #expect(words.bytes.isEmpty)
    #expect(words.hasUTF8)
  }

  @Test func `no more is looked at than the limit`() throws {
    let long = [UInt8](repeating: 0xE9, count: 40_000)
    let sample = try sample([(.marker, long), (.marker, long), (.text, long)])
    #expect(sample.bytes.count <= TextSample.limit + 1)
  }
}
