// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import TestSupport
import Testing

@testable import AudioFiles

/// Packets of which a part is not sound, and streams of AAC whose packets are only copied.
struct ShortPacketTests {
  private static let layout = PCMLayout(
    numbers: .signed, bits: 16, byteCount: 2, isLittleEndian: true)

  /// A packet of ten frames, of which only the first ones are sound.
  private func packet(_ number: Int, from frame: Int, count: Int) -> SoundStream.Packet {
    let bytes = (0..<10).flatMap { PCMBytes.little(100 * (number + 1) + $0, 2) }
    return SoundStream.Packet(
      offset: Int64(20 * number), byteCount: 20, headerByteCount: 0, bytes: bytes,
      firstFrame: Int64(frame), isEstimated: false, frameCount: count, isDiscontinuous: false,
      newProperties: nil, time: nil, omittedFrames: count < 10 ? [count..<10] : [], newTags: nil)
  }

  @Test func `short packets in the middle lose only their own frames`() throws {
    let layer = SoundLayer(codec: .linearPCM, hertz: 8000, channelCount: 1, framesPerPacket: 10)
    let properties = SoundStream.Properties(
      kind: .wave, layers: [layer], dataOffset: 0, framesPerPacket: 10, samples: Self.layout)
    let decoder = try StreamDecoder(properties)
    var (samples, frame, expected): ([Int16], Int, [Int16]) = ([], 0, [])
    for (number, count) in [10, 6, 10, 7, 1, 10].enumerated() {
      samples += try decoder.decode(packet(number, from: frame, count: count), as: Int16.self)
        .flatMap(\.samples)
      frame += count
      expected += (0..<count).map { Int16(100 * (number + 1) + $0) }
    }
    samples += decoder.finish(as: Int16.self).flatMap(\.samples)
    #expect(samples == expected)
  }

  @Test(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `AAC is decoded for its layers only when they are read`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.aac")
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", "-b:a", "64k", path,
    ])
    var stream = SoundStream()
    stream.append(try folder.bytes("a.aac"))
    stream.finish()
    #expect(stream.takePackets().count > 40)
    let properties = try #require(stream.properties)
    let probe = try #require(properties.probe)
    #expect(properties.kind == .adts && properties == stream.properties && !probe.isComplete)
    #expect(properties.layers.map(\.codec) == [.aac] && probe.isComplete)
    let reader = try PacketReader(path: path)
    #expect(reader.core?.codec == .aac && reader.formats.map(\.codec) == [.aac])
  }
}
