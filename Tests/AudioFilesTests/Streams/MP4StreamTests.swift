// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// MP4 files with their index first, compared with FFmpeg's packets and with a file reader.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct MP4StreamTests {
  /// A codec in a container.
  struct Case: CustomTestStringConvertible, Sendable {
    let suffix: String
    let arguments: [String]
    let codec: SoundCodec
    var testDescription: String { "\(codec) in \(suffix)" }
  }

  static let cases = [
    Case(suffix: "m4a", arguments: ["-c:a", "aac", "-b:a", "96k"], codec: .aac),
    Case(suffix: "mov", arguments: ["-c:a", "aac", "-ac", "1"], codec: .aac),
    Case(suffix: "m4a", arguments: ["-c:a", "alac"], codec: .alac),
    Case(suffix: "mp4", arguments: ["-c:a", "ac3"], codec: .ac3),
    Case(suffix: "mp4", arguments: ["-c:a", "eac3"], codec: .enhancedAC3),
    Case(suffix: "mp4", arguments: ["-c:a", "libmp3lame", "-b:a", "128k"], codec: .mp3),
    Case(suffix: "mp4", arguments: ["-c:a", "libopus", "-strict", "-2"], codec: .opus),
    Case(suffix: "mp4", arguments: ["-c:a", "flac", "-strict", "-2"], codec: .flac),
  ]

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Two seconds that change, encoded with the index first.
  private func encode(
    _ suffix: String, _ arguments: [String], isFast: Bool = true
  ) throws -> [UInt8] {
    let source = "aevalsrc='0.3*sin(2*PI*(300+200*t)*t)|0.3*sin(2*PI*(500-90*t)*t)'"
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "\(source):s=44100:d=2.1"] + arguments
        + (isFast ? ["-movflags", "+faststart"] : []) + [folder.path("a.\(suffix)")])
    return try folder.bytes("a.\(suffix)")
  }

  private func read(_ path: String) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    var samples: [Float] = []
    while case let part = reader.read(frameCount: 5000), !part.isEmpty { samples += part }
    return samples
  }

  @Test(arguments: cases, [1, 333, 0])
  func `in pieces of any size packets are FFmpeg's, and samples those of a file reader`(
    one: Case, pieces: Int
  ) throws {
    let bytes = try encode(one.suffix, one.arguments)
    let found = try DecodedStream(bytes, pieces: pieces)
    let packets = found.packets.map {
      FFmpegWitness.Packet(offset: $0.offset, byteCount: $0.byteCount)
    }
    #expect(try packets == FFmpegWitness.packets(folder.path("a.\(one.suffix)")))
    #expect(found.stream.properties?.kind == .mp4)
    #expect(found.stream.packetCount?.value == packets.count)
    let expected = try read(folder.path("a.\(one.suffix)"))
    #expect(found.samples.elementsEqual(expected) && expected.count > 80_000 && expected.peak > 0.1)
    #expect(found.layers.map(\.codec) == [one.codec] && found.failureCount == 0)
    #expect(found.stream.frameCount?.isEstimated == false)
    let count = try #require(found.stream.frameCount?.value)
    #expect(Int(count) * (found.layers.first?.channelCount ?? 0) == expected.count)
    #expect(found.stream.strayByteCount == 0 && !found.stream.needsWholeFile)
  }

  @Test(arguments: cases)
  func `a file reader returns FFmpeg's samples`(one: Case) throws {
    _ = try encode(one.suffix, one.arguments)
    let path = folder.path("a.\(one.suffix)")
    let (found, expected) = (try read(path), try FFmpegWitness.samples(path))
    // FFmpeg keeps the padding of the last packet.
    try #require(found.count > 80_000 && expected.count >= found.count)
    let largest = zip(found, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(largest < 1e-6, "\(largest)")
  }

  @Test func `the first packet does not need later bytes`() throws {
    let bytes = try encode("m4a", ["-c:a", "aac"])
    let first = try #require(FFmpegWitness.packets(folder.path("a.m4a")).first)
    var stream = SoundStream()
    stream.append(bytes[..<(Int(first.offset) + first.byteCount - 1)])
    #expect(stream.properties?.layers.first?.hertz == 44_100)
    #expect(stream.takePackets().isEmpty)
    stream.append(bytes[(Int(first.offset) + first.byteCount - 1)...].prefix(1))
    #expect(stream.takePackets().map(\.offset) == [first.offset])
  }

  @Test func `an index after the sound is reported early, and can be read first`() throws {
    let bytes = try encode("m4a", ["-c:a", "aac"], isFast: false)
    let whole = try DecodedStream(encode("m4a", ["-c:a", "aac"]))
    var stream = SoundStream(byteCount: Int64(bytes.count))
    stream.append(bytes[..<100])
    #expect(stream.needsWholeFile && stream.properties == nil)
    let index = try #require(stream.indexOffset)
    #expect(bytes[Int(index)...].dropFirst(4).starts(with: "moov".utf8))
    stream.append(bytes[Int(index)...], at: index)
    #expect(stream.takePackets().isEmpty && !stream.needsWholeFile && stream.indexOffset == nil)
    let start = try #require(stream.seek(toPacket: 0))
    stream.append(bytes[Int(start.offset)..<Int(index)], at: start.offset)
    let packets = stream.takePackets()
    #expect(packets.map(\.bytes) == whole.packets.map(\.bytes))
    #expect(packets.map(\.firstFrame) == whole.packets.map(\.firstFrame))
    #expect(!packets.contains { $0.isEstimated })
  }

  @Test func `a move continues with the packet and frame of the index`() throws {
    let bytes = try encode("m4a", ["-c:a", "alac"])
    let whole = try DecodedStream(bytes, decodes: false).packets
    var stream = SoundStream(byteCount: Int64(bytes.count))
    stream.append(bytes[..<Int(whole[2].offset)])
    _ = stream.takePackets()
    for number in [15, 3, whole.count - 1] {
      let place = try #require(stream.seek(toPacket: number))
      #expect(place.offset == whole[number].offset && !place.isEstimated)
      #expect(place.firstFrame == whole[number].firstFrame && place.packet == number)
      #expect(stream.seek(toFrame: place.firstFrame + 5) == place)
      stream.append(bytes[Int(place.offset)...], at: place.offset)
      let packets = stream.takePackets()
      #expect(packets.map(\.firstFrame) == whole[number...].map(\.firstFrame))
      #expect(packets.first?.isDiscontinuous == true)
      #expect(packets.allSatisfy { !$0.isEstimated })
    }
    #expect(stream.seek(toPacket: whole.count) == nil)
  }

  @Test func `tags are at the first packet`() throws {
    let bytes = try encode(
      "m4a", ["-c:a", "aac", "-metadata", "title=Söng", "-metadata", "artist=Band"])
    let packets = try DecodedStream(bytes, decodes: false).packets
    #expect(packets.first?.newTags?[.title] == "Söng")
    #expect(packets.first?.newTags?[.artist] == "Band")
    #expect(packets.dropFirst().allSatisfy { $0.newTags == nil })
  }

  @Test func `a file with video gives the packets of its sound`() throws {
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=duration=2:sample_rate=44100", "-c:v", "mpeg4", "-c:a", "aac", "-movflags",
      "+faststart", folder.path("a.mp4"),
    ])
    let found = try DecodedStream(folder.bytes("a.mp4"), pieces: 777)
    let expected = try read(folder.path("a.mp4"))
    #expect(found.samples.elementsEqual(expected) && expected.count > 80_000)
    #expect(found.failureCount == 0)
  }

  @Test func `joined files are played without the frames between them`() throws {
    _ = try encode("m4a", ["-c:a", "aac", "-aac_pns", "0"])
    let reader = try PacketReader(path: folder.path("a.m4a"))
    let path = folder.path("joined.m4a")
    #expect(try PacketFile.write(PacketJoin([reader, reader], for: .m4a), to: path, as: .m4a))
    for pieces in [500, 0] {
      let found = try DecodedStream(folder.bytes("joined.m4a"), pieces: pieces)
      let expected = try read(path)
      #expect(found.samples.elementsEqual(expected) && expected.count > 300_000)
    }
  }

  @Test(arguments: [SoundFileFormat.Encoding.aac, .integer16])
  func `a file of this library's encoder has every frame that was written`(
    encoding: SoundFileFormat.Encoding
  ) throws {
    let samples = (0..<50_001).flatMap { place -> [Float] in
      [Float(place % 97) / 200, Float(place % 31) / 100]
    }
    let path = folder.path("own.m4a")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.m4a, encoding), channelCount: 2, rate: .hertz44100)
    try writer.write(samples.span)
    try writer.finish()
    // FFmpeg moves the index to the front.
    try FFmpegWitness.run(
      ["-i", path, "-c", "copy", "-movflags", "+faststart", folder.path("a.m4a")])
    let found = try DecodedStream(folder.bytes("a.m4a"), pieces: 999)
    #expect(try found.samples.elementsEqual(read(folder.path("a.m4a"))))
    if encoding == .integer16 { #expect(found.samples.count == samples.count) }
  }
}
