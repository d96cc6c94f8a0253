// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import TestSupport
import Testing

/// Fragmented MP4: files of FFmpeg, and fragments created by hand.
struct MP4FragmentTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  static let flags = [
    "+frag_keyframe+empty_moov", "+frag_keyframe+delay_moov", "+dash+delay_moov", "+cmaf",
    "+dash+global_sidx",
  ]

  /// Three seconds of AAC with the index first, and the same packets in fragments.
  private func encode(_ flags: String, _ arguments: [String] = ["-c:a", "aac"]) throws -> (
    whole: [UInt8], fragments: [UInt8]
  ) {
    let source = "aevalsrc='0.3*sin(2*PI*(300+200*t)*t)|0.3*sin(2*PI*(500-90*t)*t)'"
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "\(source):s=44100:d=3.1"] + arguments
        + ["-strict", "-2", "-movflags", "+faststart", folder.path("whole.mp4")])
    try FFmpegWitness.run([
      "-i", folder.path("whole.mp4"), "-c", "copy", "-strict", "-2", "-movflags", flags,
      "-frag_duration", "700000", folder.path("fragments.mp4"),
    ])
    return (try folder.bytes("whole.mp4"), try folder.bytes("fragments.mp4"))
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"), arguments: flags)
  func `fragments in pieces of any size give the packets of the whole file`(
    flags: String
  ) throws {
    let (whole, fragments) = try encode(flags)
    let expected = try DecodedStream(whole, decodes: false).packets
    let places = try FFmpegWitness.packets(folder.path("fragments.mp4"))
    for pieces in [1, 1000, 0] {
      let found = try DecodedStream(fragments, pieces: pieces, decodes: pieces != 1)
      #expect(found.packets.count == expected.count)
      #expect(zip(found.packets, expected).allSatisfy { $0.bytes == $1.bytes })
      #expect(found.packets.map(\.offset) == places.map(\.offset))
      #expect(found.packets.map(\.firstFrame) == expected.map(\.firstFrame))
      #expect(found.packets.dropFirst().allSatisfy { !$0.isDiscontinuous && !$0.isEstimated })
      #expect(found.failureCount == 0 && found.stream.strayByteCount == 0)
      #expect(found.stream.properties?.hertz == 44_100)
      #expect(found.stream.properties?.framesPerPacket == 1024)
    }
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `an edit list applies to fragments`() throws {
    let (whole, fragments) = try encode("+frag_keyframe+delay_moov")
    let found = try DecodedStream(fragments, pieces: 4000)
    #expect(found.stream.properties?.primingFrameCount == 1024)
    let expected = try DecodedStream(whole)
    #expect(found.samples.elementsEqual(expected.samples) && expected.samples.count == 2 * 136_710)
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `fragments of Opus and FLAC decode to the samples of the whole file`() throws {
    for codec in ["libopus", "flac", "alac"] {
      let (whole, fragments) = try encode("+frag_keyframe+delay_moov", ["-c:a", codec])
      let found = try DecodedStream(fragments, pieces: 4000)
      let expected = try DecodedStream(whole).samples
      #expect(found.samples.count >= expected.count && expected.count > 200_000)
      #expect(Array(found.samples.prefix(expected.count)) == expected, "\(codec)")
      #expect(found.failureCount == 0)
    }
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `a seek reaches the segment of an index, or the next fragment`() throws {
    for flags in ["+dash+global_sidx", "+frag_keyframe+empty_moov"] {
      let (_, bytes) = try encode(flags)
      let all = try DecodedStream(bytes, decodes: false).packets
      var stream = SoundStream(byteCount: Int64(bytes.count))
      stream.append(bytes[..<15_000])
      _ = stream.takePackets()
      let place = try #require(stream.seek(toFrame: 100_000))
      stream.append(bytes[Int(place.offset)...], at: place.offset)
      let packets = stream.takePackets()
      let first = try #require(packets.first)
      let truth = try #require(all.first { $0.offset == first.offset })
      #expect(first.firstFrame == truth.firstFrame && first.isDiscontinuous)
      #expect(packets.count > 5)
      #expect(zip(packets, all.suffix(packets.count)).allSatisfy { $0.bytes == $1.bytes })
      #expect(abs(first.firstFrame - 100_000) < 44_100)
      if flags.contains("sidx") {
        #expect(!place.isEstimated && place.firstFrame == first.firstFrame)
        #expect(first.firstFrame <= 100_000)
        #expect(stream.frameCount?.isEstimated == false)
      }
    }
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `segments of a playlist are appended one after another`() throws {
    let (whole, _) = try encode("+cmaf")
    try FFmpegWitness.run([
      "-i", folder.path("whole.mp4"), "-c", "copy", "-f", "hls", "-hls_time", "1",
      "-hls_segment_type", "fmp4", "-hls_segment_filename", folder.path("s%d.m4s"),
      folder.path("list.m3u8"),
    ])
    var stream = SoundStream(kind: .mp4)
    stream.append(try folder.bytes("init.mp4"))
    #expect(stream.properties?.layers.first?.codec == .aac)
    var packets: [SoundStream.Packet] = []
    let count = try folder.names().count { $0.hasSuffix(".m4s") }
    for number in 0..<count {
      stream.append(try folder.bytes("s\(number).m4s"))
      packets += stream.takePackets()
    }
    let expected = try DecodedStream(whole, decodes: false).packets
    #expect(count > 2 && packets.count == expected.count)
    #expect(zip(packets, expected).allSatisfy { $0.bytes == $1.bytes })
    // A segment that is repeated after a gap is numbered continuously.
    stream.noteDiscontinuity()
    stream.append(try folder.bytes("s1.m4s"))
    let again = stream.takePackets()
    #expect(again.first?.isDiscontinuous == true && again.count > 30)
    #expect(again.first?.firstFrame == packets.last.map { $0.firstFrame + Int64($0.frameCount) })
    #expect(again.first?.time == 45_056)
  }
}
