// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Impossible numbers in files: times and lengths up to the maximum, and counts without the bytes
/// for them.
struct ClaimedNumberTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func reader(_ file: MP4Bytes) throws -> PacketReader {
    try folder.write(file.bytes, to: "a.m4a")
    return try PacketReader(path: folder.path("a.m4a"))
  }

  private static let packets = Array(repeating: [UInt8](repeating: 0x21, count: 6), count: 10)

  @Test(
    arguments: [1 << 49, 1 << 50, 1 << 62, .max, 0xFFFF_FFFF, 1, 0] as [UInt64],
    [1, 1000, 44_100, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
  func `an edit of any length keeps the existing packets`(
    length: UInt64, units: UInt32
  ) throws {
    for version in [0, 1] as [UInt8] {
      for start in [0, 1024, 1 << 39, .max, -1, .min] as [Int64] {
        var file = MP4Bytes(packets: Self.packets)
        (file.movieUnits, file.editVersion) = (units, version)
        file.edits = [MP4Bytes.Edit(length: length, start: start)]
        let table = try reader(file).table
        #expect(table.packets.count == 10 && (0...10_240).contains(table.frameCount))
        file.edits.append(MP4Bytes.Edit(length: length, start: 4096))
        #expect((0...10_240).contains(try reader(file).table.frameCount))
        file.claimedEditCount = .max
        #expect(try reader(file).table.packets.count == 10)
      }
    }
  }

  @Test func `an edit of 2 to the 49th units is clamped to the sound`() throws {
    var file = MP4Bytes(packets: Self.packets)
    file.movieUnits = 1_000_000
    file.edits = [MP4Bytes.Edit(length: 1 << 49, start: 1024)]
    let table = try reader(file).table
    #expect(table.primingFrameCount == 1024 && table.frameCount == 9216)
  }

  @Test func `ADTS from the last part of an edit list has the packets of that part`() throws {
    var file = MP4Bytes(packets: Self.packets)
    file.edits = [MP4Bytes.Edit(length: 2048), MP4Bytes.Edit(length: 1024, start: 8192)]
    let packets = try reader(file)
    #expect(packets.table.frameCount == 3072)
    let excerpt = try #require(PacketExcerpt(packets, frames: 2500..<2600, for: .aac))
    #expect(excerpt.packets == 8..<9 && excerpt.frames == 2048..<3072)
  }

  @Test func `the number of packets of one size is limited for a short index`() throws {
    var file = MP4Bytes(packets: [[UInt8](repeating: 0x21, count: 1 << 22)])
    file.packetSize = 1
    (file.claimedPacketCount, file.packetsPerChunk) = (1 << 22, 1 << 22)
    file.durations = [(1 << 22, 1024)]
    #expect(throws: SoundFileError.self) { try reader(file) }
    (file.claimedPacketCount, file.packetsPerChunk) = (1 << 16, 1 << 16)
    #expect(try reader(file).table.packets.count == 1 << 16)
  }

  @Test func `bytes at any position are read from memory and from a function`() {
    let bytes = Array(UInt8(0)..<10)
    let provided = SoundBytes(byteCount: 10) { range in
      Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }
    let endless = SoundBytes(byteCount: .max) { _ in [] }
    for (offset, count, expected) in [
      (Int64.max, 8, 0), (.max - 3, 8, 0), (.min, 4, 4), (-1, 4, 4), (8, 8, 2), (10, 1, 0),
      (0, .max, 10),
    ] as [(Int64, Int, Int)] {
      var target = [UInt8](repeating: 0xFF, count: 16)
      let found = unsafe target.withUnsafeMutableBytes { memory -> [Int] in
        guard let base = memory.baseAddress else { return [] }
        return [SoundBytes(bytes), provided, endless].map {
          unsafe $0.copy(offset, base, count)
        }
      }
      #expect(found == [expected, expected, 0], "\(offset) \(count)")
    }
  }

  @Test func `the time reference of a part ends at the largest number`() throws {
    var metadata = SoundFileMetadata()
    var broadcast = SoundFileMetadata.Broadcast()
    broadcast.timeReference = .max - 10
    metadata.broadcast = broadcast
    #expect(metadata.excerpt(5..<20).broadcast?.timeReference == UInt64.max - 5)
    #expect(metadata.excerpt(100..<200).broadcast?.timeReference == .max)
  }
}

extension ClaimedNumberTests {
  /// A file that FFmpeg demuxes, because it has two descriptions, and that states a duration.
  private func demuxed(_ name: String, units: UInt32) throws -> SoundFileReader {
    let source = folder.path("source.m4a")
    try FFmpegWitness.run(["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1", source])
    let packets = try PacketReader(path: source)
    var file = MP4Bytes(packets: packets.table.packets.indices.compactMap { packets.packet($0) })
    file.cookie = packets.magicCookie
    (file.descriptionCount, file.mediaUnits) = (2, units)
    file.mediaDuration = 1 << 56 - 1
    try folder.write(file.bytes, to: name)
    return try SoundFileReader(path: folder.path(name))
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `a length of more than 2 to the 50th frames is ignored`() throws {
    for units in [1, 700, 48_000] as [UInt32] {
      let reader = try demuxed("long.m4a", units: units)
      #expect(reader.frameCount == .max || reader.frameCount <= 1 << 50)
      // At 48,000 units per second, 45 packets of 1024 units last 0.96 s.
      let least = units == 48_000 ? 42_336 : 44_100
      #expect(reader.clientFrameCount >= least, "\(units) units a second")
    }
  }

  @Test func `one step reads at most the samples of 8192 frames of 32 channels`() {
    for channels in [1, 2, 32] {
      #expect(FrameChunk.frameCount(atMost: 8192, channelCount: channels) == 8192)
    }
    #expect(FrameChunk.frameCount(atMost: 8192, channelCount: 1024) == 256)
    #expect(FrameChunk.frameCount(atMost: 8192, channelCount: 1 << 30) == 1)
    #expect(FrameChunk.frameCount(atMost: 8192, channelCount: 0) == 8192)
  }

  @Test func `a sound of 1024 channels is converted completely, in parts`() throws {
    let samples = (0..<1024 * 1000).map { Int16(truncatingIfNeeded: $0 &* 7919) }
    let writer = try SoundFileWriter(
      path: folder.path("a.wav"), format: SoundFileFormat(.wav, .integer16), channelCount: 1024,
      rate: Rate.studio)
    try writer.write(samples.span)
    try writer.finish()
    let reader = try SoundFileReader(path: folder.path("a.wav"))
    let report = try SoundFileConversion(to: SoundFileFormat(.caf, .integer16)).run(
      from: reader, to: folder.path("a.caf")
    ) { _ in true }
    #expect(report?.frameCount == 1000)
    let copy = try SoundFileReader(path: folder.path("a.caf"))
    #expect(copy.read(Int16.self, frameCount: 2000) == samples)
  }
}
