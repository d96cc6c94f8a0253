// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Encoded sound that is not in a file.
struct SoundBytesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func write(_ format: SoundFileFormat) throws -> String {
    let path = folder.path("a.\(format.container.rawValue)")
    let writer = try SoundFileWriter(
      path: path, format: format, channelCount: 2, rate: .hertz48000)
    let samples = (0..<40_000).map { Float(0.3 * sin(Double($0 / 2) / 20)) }
    try writer.write(samples.span)
    try writer.finish()
    return path
  }

  @Test(arguments: SoundFileFormat.Container.allCases)
  func `every format is read from memory as from a file`(
    container: SoundFileFormat.Container
  ) throws {
    for encoding in container.encodings {
      let format = try SoundFileFormat(container, encoding)
      guard CodecCatalog.canWrite(format) else { continue }
      let path = try write(format)
      let bytes = try folder.bytes("a.\(container.rawValue)")
      let file = try SoundFileReader(path: path)
      let expected = file.read(frameCount: 30_000)
      let memory = try SoundFileReader(bytes: bytes)
      #expect(memory.path == "memory" && memory.frameCount == file.frameCount)
      #expect(memory.formatName == file.formatName && memory.metadata == file.metadata)
      #expect(memory.read(frameCount: 30_000) == expected)
      #expect(memory.locate(to: SampleTime(frames: 10_000)))
      #expect(file.locate(to: SampleTime(frames: 10_000)))
      #expect(memory.read(frameCount: 50) == file.read(frameCount: 50))
      var ranges = 0
      let source = SoundBytes(byteCount: Int64(bytes.count)) { range in
        ranges += 1
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
      }
      let provided = try SoundFileReader(source: source, name: "provided")
      #expect(provided.read(frameCount: 30_000) == expected)
      #expect(ranges > 0 && provided.path == "provided")
      guard let packets = memory.packets() else { continue }
      let others = try PacketReader(bytes: bytes)
      #expect(packets.table == others.table)
      #expect(others.packet(0) == packets.packet(0) && others.packet(0) != nil)
    }
  }

  @Test func `bytes without sound, and a provider with too few bytes, are errors`() throws {
    #expect(throws: SoundFileError.self) { try SoundFileReader(bytes: []) }
    #expect(throws: SoundFileError.self) { try SoundFileReader(bytes: [1, 2, 3], name: "three") }
    #expect(throws: SoundFileError.self) {
      try SoundFileReader(source: SoundBytes(byteCount: .max) { _ in [] })
    }
    #expect(throws: SoundFileError.self) {
      try PacketReader(
        source: SoundBytes(byteCount: 100) { _ in [UInt8](repeating: 1, count: 1 << 20) })
    }
  }
}
