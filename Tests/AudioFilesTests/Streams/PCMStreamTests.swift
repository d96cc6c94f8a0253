// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import TestSupport
import Testing

/// PCM in its containers as it arrives, made by hand.
struct PCMStreamTests {
  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    FLACBytes.big(UInt64(truncatingIfNeeded: value), count)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    OggBytes.little(UInt64(truncatingIfNeeded: value), count)
  }

  private static let frames = 5000
  private static let values = (0..<2 * frames).map { ($0 * 7919) % 65_536 - 32_768 }
  private static let expected = values.map { Float($0) / 32_768 }
  private static let samples = values.flatMap { little($0, 2) }
  private static let bigSamples = values.flatMap { big($0, 2) }

  /// A header of WAVE with stereo samples of 16 bits at 44.1 kHz.
  private static func wave(
    riff: Int, data: Int, id: String = "RIFF", before: [UInt8] = []
  ) -> [UInt8] {
    var bytes = Array(id.utf8) + little(riff, 4) + Array("WAVE".utf8) + before
    bytes += Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(2, 2) + little(44_100, 4)
    bytes += little(4 * 44_100, 4) + little(4, 2) + little(16, 2)
    return bytes + Array("data".utf8) + little(data, 4)
  }

  private static func aiff(form: Int, count: Int, size: Int) -> [UInt8] {
    Array("FORM".utf8) + big(form, 4) + Array("AIFFCOMM".utf8) + big(18, 4) + big(2, 2)
      + big(count, 4) + big(16, 2) + [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
      + Array("SSND".utf8) + big(size, 4) + big(0, 8)
  }

  private static func caf(_ size: Int) -> [UInt8] {
    Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8)
      + big(Int((44_100.0).bitPattern), 8) + Array("lpcm".utf8) + big(2, 4) + big(4, 4) + big(1, 4)
      + big(2, 4) + big(16, 4) + Array("data".utf8) + big(size, 8) + big(0, 4)
  }

  private static func wave64(_ size: Int) -> [UInt8] {
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    var bytes = Array("riff".utf8)
    bytes += [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
    bytes += little(-1, 8) + Array("wave".utf8) + tail + Array("fmt ".utf8) + tail + little(40, 8)
    bytes += little(1, 2) + little(2, 2) + little(44_100, 4) + little(4 * 44_100, 4) + little(4, 2)
    return bytes + little(16, 2) + Array("data".utf8) + tail + little(size, 8)
  }

  private static func ds64(riff: Int, data: Int) -> [UInt8] {
    Array("ds64".utf8) + little(28, 4) + little(riff, 8) + little(data, 8) + little(frames, 8)
      + little(0, 4)
  }

  /// Bytes whose sizes are right, unknown or wrong as a pipe leaves them.
  static let files: [(String, [UInt8])] = [
    ("WAVE", wave(riff: 36 + 20_000, data: 20_000) + samples),
    ("WAVE of a pipe, 4 GiB", wave(riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF) + samples),
    ("WAVE of a pipe, 2 GiB", wave(riff: 0x7FFF_FF24, data: 0x7FFF_FF00) + samples),
    ("WAVE of a pipe, 0x80000000", wave(riff: 0x8000_0024, data: 0x8000_0000) + samples),
    ("WAVE with sizes of 0", wave(riff: 0, data: 0) + samples),
    ("WAVE with the sizes of a head", wave(riff: 36, data: 0) + samples),
    ("WAVE that is longer than its bytes", wave(riff: 90_036, data: 90_000) + samples),
    (
      "RF64", wave(
        riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF, id: "RF64", before: ds64(riff: 20_072, data: 20_000))
        + samples + Array("LIST".utf8) + little(4, 4) + Array("INFO".utf8)
    ),
    (
      "RF64 of a pipe",
      wave(riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF, id: "RF64", before: ds64(riff: 0, data: 0))
        + samples
    ),
    (
      "WAVE with chunks around its samples",
      wave(
        riff: 36 + 20_000 + 40, data: 20_000,
        before: Array("JUNK".utf8) + little(3, 4) + [1, 2, 3, 0]) + samples + Array("LIST".utf8)
        + little(12, 4) + Array("INFOabcd".utf8) + [0, 0, 0, 0]
    ),
    ("AIFF", aiff(form: 20_046, count: frames, size: 20_008) + bigSamples),
    ("AIFF with sizes of 0", aiff(form: 0, count: 0, size: 0) + bigSamples),
    ("AIFF of a pipe", aiff(form: 0x7F00_0000, count: 0x1FC0_0000, size: 0x7FFF_FFF8) + bigSamples),
    (
      "AU", Array(".snd".utf8) + big(28, 4) + big(20_000, 4) + big(3, 4) + big(44_100, 4) + big(2, 4)
        + [1, 2, 3, 0] + bigSamples
    ),
    (
      "AU of a pipe", Array(".snd".utf8) + big(24, 4) + big(0xFFFF_FFFF, 4) + big(3, 4)
        + big(44_100, 4) + big(2, 4) + bigSamples
    ),
    (
      "AU, lowest byte first", Array("dns.".utf8) + little(24, 4) + little(0, 4) + little(3, 4)
        + little(44_100, 4) + little(2, 4) + samples
    ),
    ("CAF", caf(20_004) + samples), ("CAF of a pipe", caf(-1) + samples),
    ("Wave64", wave64(20_024) + samples), ("Wave64 of a pipe", wave64(.max) + samples),
    ("Wave64 with a size of 0", wave64(24) + samples),
  ]

  @Test(arguments: files.indices)
  func `samples extend to the stated end, or to the end of the bytes`(index: Int) throws {
    let (name, bytes) = Self.files[index]
    for pieces in [1, 9, 1000, 100_000] {
      let run = try StreamRun.all(bytes, pieces: pieces)
      #expect(run.samples == Self.expected, "\(name) in pieces of \(pieces)")
      #expect(run.stream.strayByteCount == 0 && run.failureCount == 0, "\(name)")
      #expect(run.packets.dropLast().allSatisfy { $0.frameCount == 1024 })
      #expect(run.packets.map(\.firstFrame) == (0..<5).map { Int64(1024 * $0) })
      #expect(run.stream.frameCount?.value == 5000 && run.rates == [44_100])
    }
  }

  @Test func `each packet is there as soon as its bytes are`() throws {
    var run = StreamRun()
    try run.append(Self.wave(riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF))
    #expect(run.stream.properties?.kind == .wave)
    try run.append(Self.samples[..<4096])
    #expect(run.packets.count == 1 && run.samples.count == 2048)
  }

  @Test func `a chunk without samples is empty if the file says so`() throws {
    let text = Array("LIST".utf8) + Self.little(12, 4) + Array("INFOabcd".utf8) + [0, 0, 0, 0]
    let run = try StreamRun.all(Self.wave(riff: 56, data: 0) + text)
    #expect(run.packets.isEmpty && run.stream.strayByteCount == 0)
    #expect(run.stream.frameCount?.value == 0)
  }

  @Test func `two files one after another give the sound of both`() throws {
    let one = Self.wave(riff: 36 + 20_000, data: 20_000) + Self.samples
    for pieces in [1, 50, 100_000] {
      let run = try StreamRun.all(one + one, pieces: pieces)
      #expect(run.samples == Self.expected + Self.expected)
      #expect(run.packets[5].newProperties != nil && run.packets[5].firstFrame == 5000)
    }
  }

  @Test func `compressed samples are not taken for PCM`() throws {
    var bytes = Self.wave(riff: 36 + 20_000, data: 20_000)
    bytes[20] = 2
    let run = try StreamRun.all(bytes + Self.samples)
    #expect(run.packets.isEmpty && run.stream.properties == nil)
  }

  @Test func `a move is exact to the frame`() throws {
    let bytes = Self.wave(riff: 36 + 20_000, data: 20_000) + Self.samples
    var run = StreamRun(byteCount: bytes.count)
    try run.append(bytes[..<100])
    #expect(run.stream.packetCount?.value == 5 && run.stream.frameCount?.value == 5000)
    let place = try #require(run.stream.seek(toFrame: 3000))
    #expect(place == run.stream.seek(toPacket: 2) && place.offset == 44 + 4 * 2048)
    #expect(!place.isEstimated && place.firstFrame == 2048 && place.packet == 2)
    #expect(run.stream.seek(toPacket: 5) == nil && run.stream.seek(toFrame: 5120) == nil)
    // Amid a packet and a frame.
    try run.append(bytes[(44 + 4 * 3000 - 1)...], at: 44 + 4 * 3000 - 1)
    try run.finish()
    #expect(run.packets.map(\.firstFrame) == [3000, 3072, 4096])
    #expect(run.samples == Array(Self.expected[6000...]))
  }

  @Test func `texts in front of the samples belong to the first packet`() throws {
    let list =
      Array("INFOINAM".utf8) + Self.little(5, 4) + Array("Song\0\0".utf8) + Array("IART".utf8)
      + Self.little(2, 4) + Array("Me".utf8)
    let before = Array("LIST".utf8) + Self.little(list.count, 4) + list
    let run = try StreamRun.all(
      Self.wave(riff: 0, data: 0, before: before) + Self.samples, pieces: 3)
    #expect(run.packets.first?.newTags == [.title: "Song", .artist: "Me"])
    #expect(run.samples == Self.expected)
  }

  @Test func `sizes that overflow are refused or end with the bytes`() throws {
    for size in [Int.max, Int.max - 7, 1 << 62, (1 << 62) + 1, -1, -9, 25] {
      _ = try StreamRun.all(Self.wave64(size) + Self.samples, byteCount: 100)
      _ = try StreamRun.all(Self.caf(size) + Self.samples, byteCount: 100)
    }
    for size in [0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFD] {
      let junk = Array("JUNK".utf8) + Self.little(size, 4)
      _ = try StreamRun.all(Self.wave(riff: 0, data: size, before: junk) + Self.samples)
      _ = try StreamRun.all(Self.aiff(form: size, count: size, size: size) + Self.bigSamples)
    }
  }
}
