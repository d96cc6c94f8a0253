// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Packets that a program provides, written to files, and read by this module and by FFmpeg.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketWriterTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let kinds: [(SoundFileFormat.Container, SoundCodec)] = [
    (.m4a, .aac), (.caf, .aac), (.aac, .aac), (.m4a, .alac), (.caf, .alac), (.mp3, .mp3),
    (.caf, .mp3),
  ]

  private func tone(_ frameCount: Int) -> [Float] {
    (0..<2 * frameCount).map { Float(0.3 * sin(2 * .pi * 500 * Double($0 / 2) / 44_100)) }
  }

  private func encoder(_ codec: SoundCodec) throws -> PacketEncoder {
    let format: SoundFileFormat =
      switch codec {
      case .alac: try SoundFileFormat(.m4a, .integer16)
      case .mp3: try SoundFileFormat(.mp3)
      default: try SoundFileFormat(.m4a)
      }
    return try PacketEncoder(
      format, rate: .hertz44100, layout: .usual(channelCount: 2),
      bitrate: codec == .alac ? nil : 192_000)
  }

  @Test(arguments: kinds)
  func `packets of an encoder form a file of the exact length`(
    container: SoundFileFormat.Container, codec: SoundCodec
  ) throws {
    let frameCount = 40_123
    let (encoder, samples) = (try encoder(codec), tone(frameCount))
    let packets = try encoder.encode(samples.span) + encoder.finish()
    var options = PacketWriter.Options()
    options.metadata.tags = [.title: "A title"]
    let path = folder.path("a.\(container.rawValue)")
    let writer = try PacketWriter(
      path: path, container: container,
      layer: SoundLayer(
        codec: codec, hertz: 44_100, channelCount: 2, framesPerPacket: encoder.framesPerPacket),
      magicCookie: encoder.magicCookie, primingFrameCount: encoder.primingFrameCount,
      options: options)
    // Packets of AAC and MP3 each decode to the same number of frames.
    for packet in packets {
      try writer.write(
        packet.bytes, frameCount: codec == .alac ? packet.frameCount : encoder.framesPerPacket)
    }
    #expect(try folder.names() == [] || !folder.names().contains("a.\(container.rawValue)"))
    let remainder = Int(writer.decodedFrameCount) - encoder.primingFrameCount - frameCount
    try writer.finish(remainderFrameCount: remainder)
    let reader = try SoundFileReader(path: path)
    let back = reader.read(frameCount: 100_000)
    if container == .aac {
      #expect(back.count == 2 * Int(writer.decodedFrameCount))
    } else {
      #expect(reader.frameCount == frameCount && back.count == samples.count)
      let sure = 8192..<60_000
      let error = sure.map { abs(back[$0] - samples[$0]) }.max() ?? 1
      #expect(error < (codec == .alac ? 1 / 32_768 : 0.05))
    }
    let own = try PacketReader(path: path)
    #expect(own.table.packets.count == packets.count)
    for (number, packet) in packets.enumerated() { #expect(own.packet(number) == packet.bytes) }
    #expect(try FFmpegWitness.samples(path).count >= back.count - 2)
    if container == .m4a || container == .caf {
      #expect(reader.metadata.tags[.title] == "A title")
    }
  }

  /// A file of FFmpeg whose packets and cookie are used, as a program receives them from a network.
  private static let streams:
    [(name: String, encoder: String, container: SoundFileFormat.Container)] = [
      ("a.opus", "libopus", .opus), ("a.ogg", "libvorbis", .ogg), ("a.oga", "flac", .ogg),
    ]

  @Test(arguments: streams)
  func `packets in Ogg decode to the frames of their file`(
    kind: (name: String, encoder: String, container: SoundFileFormat.Container)
  ) throws {
    let source = folder.path(kind.name)
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=3", "-c:a", kind.encoder, source,
    ])
    let pages = try OggPagesRead(folder.bytes(kind.name))
    let codec: SoundCodec =
      [
        "libopus": .opus, "libvorbis": .vorbis, "flac": .flac,
      ][kind.encoder] ?? .opus
    let (heads, packets) = pages.split(codec)
    let path = folder.path("b.ogg")
    let layer = SoundLayer(codec: codec, hertz: 48_000, channelCount: 1, framesPerPacket: 0)
    let writer = try PacketWriter(
      path: path, container: .ogg, layer: layer, magicCookie: heads,
      primingFrameCount: codec == .opus ? 312 : 0)
    // The first packet of Vorbis decodes to 0 frames, and each of Opus to 20 ms.
    let durations = try FFmpegWitness.text("packet=duration", of: source).split(separator: "\n")
      .compactMap { Int($0) }
    for (index, packet) in packets.enumerated() {
      let count = codec == .vorbis && index == 0 ? 0 : durations[index]
      try writer.write(packet.bytes, frameCount: codec == .opus ? 960 : count)
    }
    let end = try #require(packets.last?.granule)
    try writer.finish(remainderFrameCount: max(0, Int(writer.decodedFrameCount - end)))
    #expect(try FFmpegWitness.samples(path) == FFmpegWitness.samples(source))
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 144_000)
    #expect(reader.read(frameCount: 200_000).count == 144_000)
  }

  @Test func `an unsupported codec is refused, and no file remains`() throws {
    let layer = SoundLayer(codec: .alac, hertz: 44_100, channelCount: 2, framesPerPacket: 4096)
    #expect(
      throws: SoundFileError.otherPackets(path: folder.path("a.mp3"), .alac, [.m4a, .caf])
    ) { try PacketWriter(path: folder.path("a.mp3"), container: .mp3, layer: layer) }
    #expect(throws: SoundFileError.self) {
      try PacketWriter(path: folder.path("a.m4a"), container: .m4a, layer: layer)
    }
    let mp3 = SoundLayer(codec: .mp3, hertz: 44_100, channelCount: 2, framesPerPacket: 1152)
    let writer = try PacketWriter(path: folder.path("a.mp3"), container: .mp3, layer: mp3)
    #expect(throws: SoundFileError.self) { try writer.write([1, 2, 3]) }
    let ima = SoundLayer(codec: .imaADPCM, hertz: 44_100, channelCount: 2, framesPerPacket: 64)
    let plain = try PacketWriter(path: folder.path("a.caf"), container: .caf, layer: ima)
    try plain.write([UInt8](repeating: 0, count: 68), frameCount: 64)
    #expect(throws: SoundFileError.self) { try plain.write([1, 2, 3], frameCount: 64) }
    #expect(try folder.names().filter { $0.hasPrefix("a.") } == [])
  }

  @Test func `a writer that is released early leaves no file`() throws {
    do {
      let layer = SoundLayer(codec: .imaADPCM, hertz: 44_100, channelCount: 2, framesPerPacket: 64)
      let writer = try PacketWriter(path: folder.path("a.caf"), container: .caf, layer: layer)
      try writer.write([UInt8](repeating: 0, count: 68))
    }
    #expect(try folder.names() == [])
  }
}

/// The packets of an Ogg stream, read without the code under test.
private struct OggPagesRead {
  private(set) var packets: [(bytes: [UInt8], granule: Int64)] = []

  init(_ bytes: [UInt8]) {
    var (place, waiting) = (0, [UInt8]())
    while place + 27 <= bytes.count {
      let granule = bytes[place + 6..<place + 14].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      let sizes = bytes[place + 27..<place + 27 + Int(bytes[place + 26])].map(Int.init)
      place += 27 + sizes.count
      let first = packets.count
      for size in sizes {
        waiting += bytes[place..<place + size]
        place += size
        if size < 255 {
          packets.append((waiting, -1))
          waiting = []
        }
      }
      // Only the last packet of a page has a position, which is also used for those before it.
      for index in first..<packets.count { packets[index].granule = Int64(bitPattern: granule) }
    }
  }

  /// The magic cookie of the first packets, and the packets of sound.
  func split(_ codec: SoundCodec) -> ([UInt8], [(bytes: [UInt8], granule: Int64)]) {
    switch codec {
    case .opus: return (packets[0].bytes, Array(packets.dropFirst(2)))
    case .flac:
      let info = Array(packets[0].bytes[17..<51])
      return (info, packets.dropFirst().filter { $0.bytes.first == 0xFF })
    default:
      let heads = packets.prefix(3).map(\.bytes)
      let sizes = heads.prefix(2).flatMap {
        Array(repeating: UInt8(255), count: $0.count / 255) + [UInt8($0.count % 255)]
      }
      return ([2] + sizes + heads.flatMap { $0 }, Array(packets.dropFirst(3)))
    }
  }
}
