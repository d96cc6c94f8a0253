// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioFiles

/// Packets of sound in transport streams.
struct TransportStreamTests {
  /// The packets that a stream finds in bytes that are divided into pieces.
  private func found(
    _ bytes: [UInt8], by size: Int = .max, kind: SoundStream.Kind? = nil
  ) -> [SoundStream.Packet] {
    var stream = SoundStream(kind: kind)
    var rest = bytes[...]
    while !rest.isEmpty {
      stream.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    stream.finish()
    return stream.takePackets()
  }

  private func bodies(_ packets: [[UInt8]]) -> [[UInt8]] { packets.map { Array($0.dropFirst(7)) } }

  /// Three packets of AAC in each PES packet.
  private func sample(_ packets: [[UInt8]]) -> [UInt8] {
    var transport = TransportBytes()
    transport.tables()
    for start in stride(from: 0, to: packets.count, by: 3) {
      let part = packets[start..<min(start + 3, packets.count)]
      transport.pes(part.flatMap { $0 }, time: Int64(start) * 2090)
    }
    return transport.bytes
  }

  @Test func `the checksum of tables has the published value`() {
    #expect(SectionAssembly.checksum("123456789".utf8) == 0x0376_E6E7)
    #expect(TransportBytes.checksum(Array("123456789".utf8)) == 0x0376_E6E7)
  }

  @Test(arguments: [1, 7, 187, 188, 189, 1000, Int.max])
  func `packets of AAC are found in pieces of any size`(size: Int) {
    let packets = TransportBytes.aac(30)
    let found = found(sample(packets), by: size)
    #expect(found.map(\.bytes) == bodies(packets))
    #expect(found.allSatisfy { $0.frameCount == 1024 })
    #expect(found.map(\.firstFrame) == (0..<30).map { Int64($0) * 1024 })
  }

  @Test func `the container and the codec are known`() {
    var stream = SoundStream()
    stream.append(sample(TransportBytes.aac(9)))
    #expect(stream.properties?.kind == .transport)
    #expect(stream.properties?.layers.first?.codec == .aac && stream.properties?.hertz == 44_100)
  }

  @Test func `a stream that is joined within a packet is found by the distance of packets`() {
    let packets = TransportBytes.aac(30)
    let bytes = Array(repeating: UInt8(0x47), count: 5) + sample(packets)
    #expect(found(bytes, kind: .transport).map(\.bytes) == bodies(packets))
  }

  @Test func `damage in the middle loses only the packets there`() {
    let packets = TransportBytes.aac(60)
    var bytes = sample(packets)
    bytes.insert(contentsOf: [1, 2, 3], at: 188 * 40)
    let found = found(bytes).map(\.bytes)
    #expect(found.count == 60 && found == bodies(packets))
    bytes.removeSubrange(188 * 20..<188 * 22)
    let fewer = self.found(bytes)
    #expect(fewer.count >= 56 && fewer.count < 60)
    #expect(fewer.filter(\.isDiscontinuous).count >= 1)
    #expect(Set(fewer.map(\.bytes)).isSubset(of: bodies(packets)))
  }

  @Test func `a packet that is sent twice is used once`() {
    let packets = TransportBytes.aac(12)
    let bytes = sample(packets)
    let twice = stride(from: 0, to: bytes.count, by: 188).flatMap { start in
      let packet = bytes[start..<start + 188]
      return Array(packet) + Array(packet)
    }
    #expect(found(twice).map(\.bytes) == bodies(packets))
  }

  @Test func `a tag belongs to the sound of its time`() throws {
    let packets = TransportBytes.aac(30)
    var transport = TransportBytes()
    transport.tables()
    transport.pes(
      stream: TransportBytes.tagStream, TransportBytes.tag(title: "Song"), time: 15 * 2090)
    for start in stride(from: 0, to: 30, by: 3) {
      transport.pes(packets[start..<start + 3].flatMap { $0 }, time: Int64(start) * 2090)
    }
    var stream = TransportStream()
    stream.append(transport.bytes)
    stream.finish()
    var count = 0
    var place: Int?
    for piece in stream.takePieces() {
      if case .sound(let bytes, _) = piece { count += bytes.count }
      if case .tag(let tag) = piece {
        place = count
        #expect(tag == TransportBytes.tag(title: "Song"))
      }
    }
    #expect(place == packets[..<15].flatMap { $0 }.count)
  }

  @Test func `encrypted sound is counted, without packets`() {
    var transport = TransportBytes()
    transport.tables(soundType: 0xCF)
    transport.pes(TransportBytes.aac(30).flatMap { $0 })
    var stream = SoundStream()
    stream.append(transport.bytes)
    stream.finish()
    #expect(stream.properties == nil && stream.takePackets().isEmpty)
    #expect(stream.strayByteCount >= Int64(transport.bytes.count) - 1000)
  }

  @Test func `a stream without a table ends without packets`() {
    var transport = TransportBytes()
    for index in 0..<2000 {
      transport.packet(stream: 0x50 + index % 7, isStart: false, Array(repeating: 0x47, count: 184))
    }
    #expect(found(transport.bytes).isEmpty)
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"),
      "no ffmpeg (make setup-test)"), arguments: ["aac", "libmp3lame"])
  func `FFmpeg's transport streams have its packets`(codec: String) throws {
    let folder = try ScratchFolder()
    let (transport, plain) = (folder.path("a.ts"), folder.path(codec == "aac" ? "a.aac" : "a.mp3"))
    let tone = ["-f", "lavfi", "-i", "sine=frequency=441:sample_rate=44100:duration=5"]
    for words in [
      tone + ["-c:a", codec, "-b:a", "96k", transport],
      ["-i", transport, "-c", "copy", "-write_xing", "0", plain],
    ] {
      let known = codec == "aac" ? words.filter { $0 != "-write_xing" && $0 != "0" } : words
      let run = try ToolRun(["-v", "error", "-y"] + known, command: "/usr/bin/ffmpeg")
      try #require(run.status == 0, "\(run.errors)")
    }
    let read = { path in Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    let (mine, witness) = (found(try read(transport)), found(try read(plain)))
    #expect(mine.count > 190 && mine.map(\.bytes) == witness.map(\.bytes))
    #expect(mine.map(\.bytes) == found(try read(transport), by: 1000).map(\.bytes))
  }
}
