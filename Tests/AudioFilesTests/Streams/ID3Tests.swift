// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Testing

/// Texts of ID3 tags, made by hand, before and between packets.
struct ID3Tests {
  /// Silent frames of MPEG-1 layer III at 128 kbit/s and 44.1 kHz.
  private static func sound(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in
      [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    }
  }

  private static func size(_ value: Int, isSafe: Bool) -> [UInt8] {
    let bits = isSafe ? 7 : 8
    return (0..<4).map { UInt8(truncatingIfNeeded: value >> (bits * (3 - $0)) & (1 << bits - 1)) }
  }

  private static func frame(
    _ name: String, _ content: [UInt8], version: UInt8, flags: UInt8 = 0
  ) -> [UInt8] {
    guard version > 2 else {
      return Array(name.utf8) + size(content.count, isSafe: false).dropFirst() + content
    }
    return Array(name.utf8) + size(content.count, isSafe: version == 4) + [0, flags] + content
  }

  private static func tag(_ frames: [UInt8], version: UInt8, flags: UInt8 = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + size(frames.count, isSafe: true) + frames
  }

  private func packets(_ bytes: [UInt8], pieces: Int) throws -> [SoundStream.Packet] {
    let found = try DecodedStream(bytes, pieces: pieces, decodes: false)
    #expect(found.stream.strayByteCount == 0)
    return found.packets
  }

  @Test(arguments: [UInt8(2), 3, 4], [1, 50, 0])
  func `texts of each version are at the packet after the tag`(
    version: UInt8, pieces: Int
  ) throws {
    let (title, artist, picture) =
      version == 2 ? ("TT2", "TP1", "PIC") : ("TIT2", "TPE1", "APIC")
    let wide: [UInt8] = [1, 0xFF, 0xFE, 0xF6, 0, 0x20, 0x04, 0, 0]
    let frames =
      Self.frame(picture, Array(repeating: 7, count: 100_000), version: version)
      + Self.frame(title, [0] + Array("Caf".utf8) + [0xE9], version: version)
      + Self.frame(artist, wide, version: version) + Array(repeating: 0, count: 20)
    let bytes = Self.tag(frames, version: version) + Self.sound(3)
    let found = try packets(bytes, pieces: pieces)
    #expect(found.count == 3)
    #expect(found.first?.newTags == [.title: "Café", .artist: "ö\u{420}"])
    #expect(found.dropFirst().allSatisfy { $0.newTags == nil })
    #expect(found.first?.offset == Int64(bytes.count - 3 * 417))
  }

  @Test func `a tag between packets changes the texts from there on`() throws {
    func named(_ title: String) -> [UInt8] {
      Self.tag(
        Self.frame("TIT2", [3] + Array(title.utf8), version: 4), version: 4)
    }
    let bytes =
      named("one") + Self.sound(2) + named("one") + Self.sound(2) + named("zwei") + Self.sound(2)
    for pieces in [1, 0] {
      let found = try packets(bytes, pieces: pieces)
      #expect(
        found.map { $0.newTags?[.title] } == ["one", nil, nil, nil, "zwei", nil])
    }
  }

  @Test func `the zeros of unsynchronisation are removed`() throws {
    let plain: [UInt8] = [1, 0xFF, 0xFE, 0x41, 0, 0xFF, 0x01]
    let stored: [UInt8] = [1, 0xFF, 0, 0xFE, 0x41, 0, 0xFF, 0, 0x01]
    let old = Self.frame("TIT2", plain, version: 3).dropLast(plain.count) + stored
    let new = Self.frame("TIT2", stored, version: 4, flags: 2)
    for pieces in [1, 0] {
      let first = Self.tag(Array(old), version: 3, flags: 0x80) + Self.sound(2)
      #expect(try packets(first, pieces: pieces).first?.newTags == [.title: "A\u{1FF}"])
      let second = Self.tag(new, version: 4) + Self.sound(2)
      #expect(try packets(second, pieces: pieces).first?.newTags == [.title: "A\u{1FF}"])
    }
  }

  @Test func `a comment with a name is not the comment`() throws {
    let iTunes = [0] + Array("eng".utf8) + Array("iTunNORM\0 0000".utf8)
    let plain = [0] + Array("eng".utf8) + Array("\0hello".utf8)
    let frames =
      Self.frame("COMM", plain, version: 3) + Self.frame("COMM", iTunes, version: 3)
    let found = try packets(Self.tag(frames, version: 3) + Self.sound(2), pieces: 9)
    #expect(found.first?.newTags == [.comment: "hello"])
  }

  @Test func `a tag whose frames state too many bytes is skipped`() throws {
    let lying = Array("TIT2".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 65]
    for version in [UInt8(2), 3, 4, 9] {
      let found = try packets(Self.tag(lying, version: version) + Self.sound(2), pieces: 3)
      #expect(found.count == 2 && found.first?.newTags == nil)
    }
  }
}
