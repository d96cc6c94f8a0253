// SPDX-License-Identifier: Apache-2.0
import JSONText
import Testing

@testable import WebSockets

@Suite struct DigestTests {
  private func hex(_ text: String) -> String {
    SHA1.digest(of: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `digests are those of FIPS 180`() {
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(
      hex(String(repeating: "a", count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }

  @Test func `every length around a block has its digest`() {
    // Computed with Python's hashlib.
    let known = [
      55: "c1c8bbdc22796e28c0e15163d20899b65621d65a",
      56: "c2db330f6083854c99d4b5bfb6e8f29f201be699",
      63: "03f09f5b158a7a8cdad920bddc29b81c18a551f5",
      64: "0098ba824b5c16427bd7a1122a5a442a25ec644d",
      65: "11655326c708d70319be2610e8a57d9a5b959d3b",
    ]
    for (count, digest) in known { #expect(hex(String(repeating: "a", count: count)) == digest) }
  }

  @Test func `texts are those of RFC 4648`() {
    let known = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    for (text, encoded) in known {
      #expect(Base64.text(of: Array(text.utf8)) == encoded)
      #expect(Base64.bytes(of: encoded) == Array(text.utf8))
      #expect(Base64.bytes(of: encoded + "-") == nil)
    }
    for text in ["Zm9vY===", "Zm9v-g==", "Zg==Zg==", "Zm9v\n", "Zg=v"] {
      #expect(Base64.bytes(of: text) == nil)
    }
  }
}
