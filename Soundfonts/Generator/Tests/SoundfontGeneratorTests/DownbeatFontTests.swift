// SPDX-License-Identifier: Apache-2.0
import Glibc
import SoundfontGenerator
import Testing

@Suite struct DownbeatFontTests {
  struct Missing: Error {}

  @Test func `the font in the repository is what the generator gives, byte for byte`() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    guard let file = unsafe fopen("/\(root)/Downbeat.sf2", "rb") else { throw Missing() }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    // Compared as a whole: a failing comparison of arrays would print megabytes.
    let isSame = DownbeatFont.file() == Array(bytes.prefix(count))
    #expect(isSame)
  }
}
