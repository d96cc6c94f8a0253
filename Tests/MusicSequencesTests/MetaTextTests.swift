// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import Testing

@Suite struct MetaTextTests {
  @Test(
    arguments: [
      ([0x4C, 0x61], MetaText.Encoding.ascii, "La"),
      ([0xC3, 0xA9, 0x74, 0xC3, 0xA9], .utf8, "été"),
      ([0xE9, 0x74, 0xE9], .latin1, "été"),
      ([0x47, 0x72, 0xFC, 0xDF, 0x65], .latin1, "Grüße"),
      // ひかり, ド
      ([0x82, 0xD0, 0x82, 0xA9, 0x82, 0xE8], .shiftJIS, "ひかり"),
      ([0x83, 0x68], .shiftJIS, "ド"),
      // 桜 is beyond what is known here.
      ([0x8D, 0xF7], .shiftJIS, "〓"),
      ([], .ascii, ""),
    ] as [([UInt8], MetaText.Encoding, String)])
  func `the encoding of a text is told by its bytes`(
    bytes: [UInt8], encoding: MetaText.Encoding, text: String
  ) {
    let meta = MetaText(bytes)
    #expect(meta.encoding == encoding)
    #expect(meta.string == text)
  }
}
