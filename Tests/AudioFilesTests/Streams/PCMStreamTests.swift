// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import TestSupport
import Testing

/// PCM in its containers that arrives in pieces, created by hand.
struct PCMStreamTests {
  private static let frames = 5000
  private static let values = (0..<2 * frames).map { ($0 * 7919) % 65_536 - 32_768 }
  private static let expected = values.map { Float($0) / 32_768 }
  private static let samples = values.flatMap { PCMBytes.little($0, 2) }
  private static let bigSamples = values.flatMap { PCMBytes.big($0, 2) }

  /// Bytes whose sizes are correct, unknown, or wrong as in a pipe.
  static let files: [(String, [UInt8])] = [
    ("WAVE", PCMBytes.wave(riff: 36 + 20_000, data: 20_000) + samples),
    ("WAVE of a pipe, 4 GiB", PCMBytes.wave(riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF) + samples),
    ("WAVE of a pipe, 2 GiB", PCMBytes.wave(riff: 0x7FFF_FF24, data: 0x7FFF_FF00) + samples),
    ("WAVE of a pipe, 0x80000000", PCMBytes.wave(riff: 0x8000_0024, data: 0x8000_0000) + samples),
    ("WAVE with sizes of 0", PCMBytes.wave(riff: 0, data: 0) + samples),
    ("WAVE with the sizes of a head", PCMBytes.wave(riff: 36, data: 0) + samples),
    ("WAVE that is longer than its bytes", PCMBytes.wave(riff: 90_036, data: 90_000) + samples),
    ("RF64", rf64(riff: 20_072, data: 20_000) + samples + PCMBytes.chunk("LIST", [0, 0, 0, 0])),
    ("RF64 of a pipe", rf64(riff: 0, data: 0) + samples),
    (
      "WAVE with chunks around its samples",
      PCMBytes.wave(riff: 20_100, data: 20_000, before: PCMBytes.chunk("JUNK", [1, 2, 3]))
        + samples + PCMBytes.chunk("LIST", Array("INFOabcd".utf8) + [0, 0, 0, 0])
    ),
    ("AIFF", PCMBytes.aiff(form: 20_046, count: frames, size: 20_008) + bigSamples),
    ("AIFF-C", PCMBytes.aiff(form: 20_052, count: frames, size: 20_008, kind: "sowt") + samples),
    ("AIFF with sizes of 0", PCMBytes.aiff(form: 0, count: 0, size: 0) + bigSamples),
    (
      "AIFF of a pipe",
      PCMBytes.aiff(form: 0x7F00_0000, count: 0x1FC0_0000, size: 0x7FFF_FFF8) + bigSamples
    ),
    ("AU", PCMBytes.au(size: 20_000, text: [1, 2, 3, 0]) + bigSamples),
    ("AU of a pipe", PCMBytes.au(size: 0xFFFF_FFFF) + bigSamples),
    ("AU, lowest byte first", PCMBytes.littleAU(size: 0) + samples),
    ("CAF", PCMBytes.caf(size: 20_004) + samples),
    ("CAF of a pipe", PCMBytes.caf(size: -1) + samples),
    ("Wave64", PCMBytes.wave64(size: 20_024) + samples),
    ("Wave64 of a pipe", PCMBytes.wave64(size: .max) + samples),
    ("Wave64 with a size of 0", PCMBytes.wave64(size: 24) + samples),
  ]

  private static func rf64(riff: Int, data: Int) -> [UInt8] {
    PCMBytes.wave(
      riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF, id: "RF64",
      before: PCMBytes.ds64(riff: riff, data: data))
  }

  @Test(arguments: files.indices)
  func `samples extend to the stated end, or to the end of the bytes`(index: Int) throws {
    let (name, bytes) = Self.files[index]
    for pieces in [1, 9, 1000, 100_000] {
      let run = try StreamRun.all(bytes, pieces: pieces)
      #expect(run.samples == Self.expected, "\(name) in pieces of \(pieces)")
      #expect(run.stream.strayByteCount == 0 && run.failureCount == 0, "\(name)")
      #expect(run.packets.dropLast().allSatisfy { $0.frameCount == 1024 })
      #expect(run.firstFrames == StreamRun.multiples(of: 1024, 0..<5))
      #expect(run.stream.frameCount?.value == 5000 && run.rates == [44_100])
    }
  }

  @Test func `each packet is available as soon as its bytes are`() throws {
    var run = StreamRun()
    try run.append(PCMBytes.wave(riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF))
    #expect(run.stream.properties?.kind == .wave)
    try run.append(Self.samples[..<4096])
    #expect(run.packets.count == 1 && run.samples.count == 2048)
  }

  @Test func `a chunk without samples is empty if the size of the file agrees`() throws {
    let text = Array("LIST".utf8) + PCMBytes.little(12, 4) + Array("INFOabcd".utf8) + [0, 0, 0, 0]
    let run = try StreamRun.all(PCMBytes.wave(riff: 56, data: 0) + text)
    #expect(run.packets.isEmpty && run.stream.strayByteCount == 0)
    #expect(run.stream.frameCount?.value == 0)
  }

  @Test func `two consecutive files give the sound of both`() throws {
    let one = PCMBytes.wave(riff: 36 + 20_000, data: 20_000) + Self.samples
    for pieces in [1, 50, 100_000] {
      let run = try StreamRun.all(one + one, pieces: pieces)
      #expect(run.samples == Self.expected + Self.expected)
      #expect(run.packets[5].newProperties != nil && run.packets[5].firstFrame == 5000)
    }
  }

  @Test func `compressed samples are not read as PCM`() throws {
    var bytes = PCMBytes.wave(riff: 36 + 20_000, data: 20_000)
    bytes[20] = 2
    let run = try StreamRun.all(bytes + Self.samples)
    #expect(run.packets.isEmpty && run.stream.properties == nil)
  }

  @Test func `a move is exact to the frame`() throws {
    let bytes = PCMBytes.wave(riff: 36 + 20_000, data: 20_000) + Self.samples
    var run = StreamRun(byteCount: bytes.count)
    try run.append(bytes[..<100])
    #expect(run.stream.packetCount?.value == 5 && run.stream.frameCount?.value == 5000)
    let place = try #require(run.stream.seek(toFrame: 3000))
    #expect(place == run.stream.seek(toPacket: 2) && place.offset == 44 + 4 * 2048)
    #expect(!place.isEstimated && place.firstFrame == 2048 && place.packet == 2)
    #expect(run.stream.seek(toPacket: 5) == nil && run.stream.seek(toFrame: 5120) == nil)
    // Within a packet and a frame.
    try run.append(bytes[(44 + 4 * 3000 - 1)...], at: 44 + 4 * 3000 - 1)
    try run.finish()
    #expect(run.firstFrames == [3000, 3072, 4096])
    #expect(run.samples == Array(Self.expected[6000...]))
  }

  @Test func `texts before the samples belong to the first packet`() throws {
    let list =
      Array("INFOINAM".utf8) + PCMBytes.little(5, 4) + Array("Song\0\0".utf8) + Array("IART".utf8)
      + PCMBytes.little(2, 4) + Array("Me".utf8)
    let before = Array("LIST".utf8) + PCMBytes.little(list.count, 4) + list
    let run = try StreamRun.all(
      PCMBytes.wave(riff: 0, data: 0, before: before) + Self.samples, pieces: 3)
    #expect(run.packets.first?.newTags == [.title: "Song", .artist: "Me"])
    #expect(run.samples == Self.expected)
  }

  @Test func `sizes that overflow are refused, or end with the bytes`() throws {
    for size in [Int.max, Int.max - 7, 1 << 62, (1 << 62) + 1, -1, -9, 25] {
      _ = try StreamRun.all(PCMBytes.wave64(size: size) + Self.samples, byteCount: 100)
      _ = try StreamRun.all(PCMBytes.caf(size: size) + Self.samples, byteCount: 100)
    }
    for size in [0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFD] {
      let junk = Array("JUNK".utf8) + PCMBytes.little(size, 4)
      _ = try StreamRun.all(PCMBytes.wave(riff: 0, data: size, before: junk) + Self.samples)
      _ = try StreamRun.all(PCMBytes.aiff(form: size, count: size, size: size) + Self.bigSamples)
    }
  }
}
