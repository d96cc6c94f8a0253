// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import TestSupport
import Testing

extension HEAACTests {
  @Test(arguments: signallings)
  func `an M4A stream gives the samples of the file`(one: Signalling) throws {
    try FFmpegWitness.run(
      ["-i", stream(one.channelCount), "-c", "copy", folder.path("plain.m4a")])
    let plain: [UInt8] = one.channelCount == 1 ? [0x13, 0x88] : [0x13, 0x90]
    let file = HEAACBytes.reconfigured(try folder.bytes("plain.m4a"), from: plain, to: one.config)
    let bytes = try #require(file)
    try folder.write(bytes, to: "a.m4a")
    let expected = try SoundFileReader(path: folder.path("a.m4a")).read(frameCount: 1 << 20)
    // The index is at the end.
    var stream = SoundStream()
    stream.append(bytes.prefix(100))
    let index = try #require(stream.indexOffset)
    stream.append(bytes[Int(index)...], at: index)
    let start = try #require(stream.seek(toPacket: 0))
    stream.append(bytes[Int(start.offset)..<Int(index)], at: start.offset)
    let decoder = try StreamDecoder(try #require(stream.properties))
    var samples: [Float] = []
    for packet in stream.takePackets() {
      samples += try decoder.decode(packet).flatMap(\.samples)
    }
    samples += decoder.finish().flatMap(\.samples)
    #expect(samples.elementsEqual(expected) && expected.count > 30_000)
    #expect(decoder.layer?.codec == one.codecs.first && decoder.failureCount == 0)
  }
}
