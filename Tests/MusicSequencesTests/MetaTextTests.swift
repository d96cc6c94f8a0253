// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import Testing

@Suite struct MetaTextTests {
  @Test(
    arguments: [
      ([0x4C, 0x61], MetaText.Encoding.ascii, "La"),
      ([0xC3, 0xA9, 0x74, 0xC3, 0xA9], .utf8, "été"),
      ([0xEF, 0xBB, 0xBF, 0x4C, 0x61], .utf8, "La"),
      ([0xEF, 0xBB, 0xBF, 0xE9], .utf8, "\u{FFFD}"),
      ([0xFF, 0xFE, 0xE9, 0x00], .utf16, "é"),
      ([0xFE, 0xFF, 0x30, 0x42, 0xD8, 0x34, 0xDD, 0x1E], .utf16, "あ\u{1D11E}"),
      ([0xFF, 0xFE, 0x41], .windows1252, "ÿþA"),
      ([0xE9, 0x74, 0xE9], .windows1252, "été"),
      ([0x47, 0x72, 0xFC, 0xDF, 0x65], .windows1252, "Grüße"),
      ([0x93, 0x6F, 0x6B, 0x94, 0x85, 0x80, 0x9F], .windows1252, "“ok”…€Ÿ"),
      ([0x81, 0x8D, 0x8F, 0x90, 0x9D], .windows1252, "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([], .ascii, ""),
    ] as [([UInt8], MetaText.Encoding, String)])
  func `the encoding of a text is detected from its bytes`(
    bytes: [UInt8], encoding: MetaText.Encoding, text: String
  ) {
    let meta = MetaText(bytes)
    #expect(meta.encoding == encoding)
    #expect(meta.string == text)
  }

  @Test(
    arguments: [
      (Array("é".utf8), false), (Array("éàè".utf8), false), (Array("éàèé".utf8), true),
      (Array("あ".utf8), false), (Array("あa".utf8), false), (Array("ああ".utf8), true),
      ([0xEF, 0xBB, 0xBF], true), ([0xFF, 0xFE], true),
      ([0xE9], false), ([0x41], false),
    ] as [([UInt8], Bool)])
  func `a few pairs of bytes are not surely Unicode`(bytes: [UInt8], isSure: Bool) {
    #expect(MetaText(bytes).isSurelyUnicode == isSure)
  }
}
