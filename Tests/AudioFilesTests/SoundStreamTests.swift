// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SoundStreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A suffix and arguments for an encoder.
  static let kinds: [(String, [String])] = [
    ("aac", ["-c:a", "aac", "-b:a", "96k"]),
    ("mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]),
    ("mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"]),
    ("mp3", ["-c:a", "libmp3lame", "-ar", "16000", "-b:a", "24k"]),
    ("mp2", ["-c:a", "mp2"]),
  ]

  @Test(arguments: kinds)
  func `packets are FFmpeg's, for pieces of any size`(
    suffix: String, arguments: [String]
  ) throws {
    let bytes = try encode(suffix, arguments)
    let expected = try FFmpegWitness.packets(folder.path("a.\(suffix)"))
    var random = SplitMix(seed: 7)
    var all: [[SoundStream.Packet]] = []
    for largest in [1, 7, 100, 5000, bytes.count] {
      var stream = SoundStream(byteCount: Int64(bytes.count))
      var packets: [SoundStream.Packet] = []
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + 1 + Int(random.next() % UInt64(largest)))
        stream.append(bytes[place..<end])
        packets += stream.takePackets()
        place = end
      }
      stream.finish()
      all.append(packets + stream.takePackets())
      #expect(stream.strayByteCount == 0)
      #expect(stream.packetCount?.value == expected.count)
      #expect(stream.packetCount?.isEstimated == false)
    }
    #expect(all.dropFirst().allSatisfy { $0 == all[0] })
    let found = all[0].map { FFmpegWitness.Packet(offset: $0.offset, byteCount: $0.byteCount) }
    #expect(found == expected)
    let first = all[0][0].frameCount
    #expect(all[0].indices.allSatisfy { all[0][$0].firstFrame == Int64($0 * first) })
    #expect(all[0].allSatisfy { !$0.isDiscontinuous && !$0.isEstimated })
  }

  @Test func `damage loses only the damaged packets, and the next is discontinuous`() throws {
    var bytes = try encode("aac", ["-c:a", "aac"])
    let whole = packets(bytes)
    let victim = whole[20]
    for index in 0..<victim.byteCount { bytes[Int(victim.offset) + index] = 0xA5 }
    var stream = SoundStream()
    stream.append(bytes)
    stream.finish()
    let left = stream.takePackets()
    #expect(left.count == whole.count - 1)
    #expect(stream.strayByteCount == Int64(victim.byteCount))
    #expect(left.filter(\.isDiscontinuous).map(\.offset) == [whole[21].offset])
  }

  @Test func `a seek to a known position is exact, and one ahead is a close estimate`() throws {
    let bytes = try encode("mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"])
    let whole = packets(bytes)
    var stream = SoundStream(byteCount: Int64(bytes.count))
    stream.append(bytes[..<Int(whole[60].offset)])
    let known = try #require(stream.seek(toPacket: 40))
    #expect(known.offset == whole[40].offset && known.packet == 40 && !known.isEstimated)
    // From a second and a half the total length is known to a fifth.
    let count = try #require(stream.packetCount)
    #expect(count.isEstimated)
    #expect(abs(count.value - whole.count) * 5 < whole.count)
    let ahead = try #require(stream.seek(toPacket: 200))
    #expect(ahead.isEstimated)
    _ = stream.takePackets()
    stream.append(bytes[Int(ahead.offset)...], at: ahead.offset)
    let after = stream.takePackets()
    let landed = try #require(after.first)
    #expect(landed.isDiscontinuous && landed.isEstimated)
    let truth = try #require(whole.firstIndex { $0.offset == landed.offset })
    // A packet lasts 26 ms: within a second.
    #expect(abs(truth - 200) < 38)
    #expect(stream.seek(toPacket: whole.count * 2) == nil)
  }

  @Test func `an encoder's tag states the length, the padding and the table of contents`() throws {
    let bytes = try encode("mp3", ["-c:a", "libmp3lame", "-q:a", "4"])
    let whole = packets(bytes)
    var stream = SoundStream(byteCount: Int64(bytes.count))
    stream.append(bytes[..<8000])
    let properties = try #require(stream.properties)
    #expect(properties.packetCount == whole.count)
    #expect(stream.frameCount?.value == 441_000)
    #expect(stream.frameCount?.isEstimated == false)
    #expect(properties.primingFrameCount == 1105)
    let place = try #require(stream.seek(toPacket: 300))
    let truth = whole.last { $0.offset <= place.offset }?.firstFrame ?? 0
    #expect(abs(truth / 1152 - 300) < 38)
  }

  @Test func `the bitrate is known to within its error`() throws {
    let bytes = try encode("mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"])
    var stream = SoundStream()
    stream.append(bytes)
    let all = stream.bitrate
    var part = SoundStream()
    part.append(bytes[..<(bytes.count / 2)])
    #expect(abs(part.bitrate.bitsPerSecond - all.bitsPerSecond) < 3 * part.bitrate.error + 10_000)
    var constant = SoundStream()
    constant.append(try encode("mp2", ["-c:a", "mp2", "-ar", "48000", "-b:a", "192k"]))
    #expect(constant.bitrate.bitsPerSecond == 192_000)
    #expect(constant.bitrate.error == 0)
    #expect(constant.properties?.nominalBitrate == 192_000)
  }

  @Test func `any bytes give packets or none, and are not stored otherwise`() {
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      var stream = SoundStream()
      for _ in 0..<20 {
        let bytes = (0..<Int(random.next() % 3000)).map { _ in
          random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
        }
        stream.append(bytes, at: random.next() % 5 == 0 ? Int64(random.next() % 100_000) : nil)
        if random.next() % 9 == 0 { stream.noteDiscontinuity() }
      }
      stream.finish()
      #expect(stream.takePackets().allSatisfy { $0.byteCount > 0 })
    }
  }

  private func packets(_ bytes: [UInt8]) -> [SoundStream.Packet] {
    var stream = SoundStream()
    stream.append(bytes)
    stream.finish()
    return stream.takePackets()
  }

  /// Ten seconds of a sound that fades in and out.
  private func encode(_ suffix: String, _ arguments: [String]) throws -> [UInt8] {
    let path = folder.path("a.\(suffix)")
    let source = "aevalsrc='0.4*sin(2*PI*(300+200*t)*t)*(0.5+0.5*sin(3*t))+0.05*random(0)'"
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "\(source):s=44100:d=10"] + arguments + ["-fflags", "+bitexact", path])
    return try folder.bytes("a.\(suffix)")
  }
}
