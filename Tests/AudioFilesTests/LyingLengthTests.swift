// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Files whose index is truncated or states impossible lengths: refused with a message, or read as
/// far as there is sound.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct LyingLengthTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let frameCount = 44_100

  private func encode(_ name: String, _ arguments: String...) throws -> [UInt8] {
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1"] + arguments + [folder.path(name)])
    return try folder.bytes(name)
  }

  /// Reads all of a file; nil if it is refused with a message that contains its name.
  private func frames(_ bytes: [UInt8], _ name: String) throws -> Int? {
    try folder.write(bytes, to: name)
    do {
      let reader = try SoundFileReader(path: folder.path(name))
      return reader.read(frameCount: 1 << 22).count / reader.channelCount
    } catch {
      #expect(error.description.contains(name) && !error.description.hasSuffix("."))
      return nil
    }
  }

  private func place(of name: String, in bytes: [UInt8]) throws -> Int {
    let letters = Array(name.utf8)
    return try #require(bytes.indices.last { bytes[$0...].starts(with: letters) })
  }

  private func with(_ bytes: [UInt8], _ word: UInt32, at place: Int) -> [UInt8] {
    var bytes = bytes
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte)) }
    return bytes
  }

  @Test(arguments: [1, 2, 3, 5, 9])
  func `a file with a truncated index is refused`(part: Int) throws {
    let bytes = try encode("a.m4a", "-c:a", "aac")
    let index = try place(of: "moov", in: bytes) - 4
    let cut = index + 8 + (bytes.count - index - 8) * part / 10
    #expect(try frames(Array(bytes[..<cut]), "cut.m4a") == nil)
    #expect(try frames(Array(bytes[..<index]), "none.m4a") == nil)
  }

  @Test(arguments: ["stsz", "stts", "stco", "stsc"], [1 << 20, 1 << 31, 0xFFFF_FFFF] as [UInt32])
  func `a table that states too many entries does not add sound`(
    name: String, count: UInt32
  ) throws {
    let bytes = try encode("a.m4a", "-c:a", "aac")
    let entries = try place(of: name, in: bytes) + (name == "stsz" ? 12 : 8)
    let read = try frames(with(bytes, count, at: entries), "lying.m4a")
    #expect(read ?? 0 <= Self.frameCount + 2048)
  }

  @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 12] as [UInt32])
  func `a box with a wrong length does not exceed the file`(size: UInt32) throws {
    let bytes = try encode("a.m4a", "-c:a", "alac")
    for name in ["moov", "trak", "stbl", "stsz"] {
      let read = try frames(with(bytes, size, at: place(of: name, in: bytes) - 4), "lying.m4a")
      #expect(read ?? 0 <= Self.frameCount)
    }
  }

  @Test(arguments: [2_378_737, 1 << 25, 0xFFFF_FFFF] as [UInt32])
  func `packets of one size beyond the file are missing, and do not use memory`(
    count: UInt32
  ) throws {
    var file = MP4Bytes(packets: (0..<4).map { _ in Array(repeating: 0x21, count: 300) })
    file.packetSize = 300
    file.claimedPacketCount = count
    try folder.write(file.bytes, to: "many.m4a")
    let reader = try PacketReader(path: folder.path("many.m4a"))
    #expect(reader.table.packets.count == 4)
    // Only FFmpeg reads a file with two descriptions, and it allocates an entry for each packet.
    file.descriptionCount = 2
    try folder.write(file.bytes, to: "two.m4a")
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: folder.path("two.m4a"))
    }
    #expect(error?.description.contains("lists more packets than fit in the file") == true)
  }

  @Test func `packets after the end are missing, and are reported`() throws {
    let bytes = try encode("a.m4a", "-c:a", "alac", "-movflags", "+faststart")
    let offset = try place(of: "stco", in: bytes) + 12
    try folder.write(with(bytes, 0x7FFF_0000, at: offset), to: "far.m4a")
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: folder.path("far.m4a"))
    }
    guard case .cutOff(_, .packets(let missing, let all))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(missing == all && all == 11)
  }

  @Test func `WAV, AIFF and W64 with too large lengths are read and reported`() throws {
    let kinds = [("a.wav", "data", 4), ("a.aiff", "SSND", 4), ("a.w64", "data", 16)]
    for (name, mark, offset) in kinds {
      let bytes = try encode(name, "-c:a", name == "a.aiff" ? "pcm_s16be" : "pcm_s16le")
      let place = try place(of: mark, in: bytes) + offset
      // 0x0F00_0000 in either byte order, so that it is not a placeholder for an unknown length.
      let lying = with(bytes, name == "a.aiff" ? 0x0F00_0000 : 0x0000_000F, at: place)
      #expect(try frames(lying, "lying-\(name)") ?? 0 <= Self.frameCount + 4)
      let reader = try SoundFileReader(path: folder.path("lying-\(name)"))
      #expect(reader.shortfall != nil, "\(name)")
    }
  }
}
