// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import MusicalTime
import TestSupport
import Testing

/// Uncompressed files as bytes, checked with `SoundFileReader`.
@Suite struct SampleFileTests {
  private static let layouts: [PCMLayout] = [
    layout(.unsigned, 1), layout(.signed, 1), layout(.signed, 2),
    layout(.signed, 2, isLittle: false),
    layout(.signed, 3), layout(.signed, 3, isLittle: false), layout(.signed, 4),
    layout(.signed, 4, isLittle: false), layout(.floating, 4),
    layout(.floating, 4, isLittle: false), layout(.floating, 8),
    layout(.floating, 8, isLittle: false), layout(.muLaw, 1, isLittle: false),
    layout(.aLaw, 1, isLittle: false),
  ]

  private static func layout(
    _ numbers: PCMLayout.Numbers, _ bytes: Int, isLittle: Bool = true, mask: UInt64 = 0
  ) -> PCMLayout {
    PCMLayout(
      numbers: numbers, bits: 8 * bytes, byteCount: bytes, isLittleEndian: isLittle,
      channelMask: mask)
  }

  /// The bytes of a sample at half or quarter scale.
  private static func bytes(_ value: Double, _ layout: PCMLayout) -> [UInt8] {
    var bits: UInt64 =
      switch layout.numbers {
      case .floating where layout.byteCount == 4: UInt64(Float(value).bitPattern)
      case .floating: value.bitPattern
      case .unsigned: UInt64(128 + value * 128)
      default:
        UInt64(bitPattern: Int64(value * Double(UInt64(1) << UInt64(layout.bits - 1))))
      }
    var bytes: [UInt8] = []
    for _ in 0..<layout.byteCount {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
    return layout.isLittleEndian ? bytes : bytes.reversed()
  }

  private static let values = [0.5, -0.25, 0, -1, 0.75, -0.5, 0.125, -0.875, 0.25]

  private func content(_ layout: PCMLayout, _ channelCount: Int) -> [UInt8] {
    if layout.numbers == .muLaw || layout.numbers == .aLaw {
      return (0..<9 * channelCount).map { UInt8(truncatingIfNeeded: $0 * 37 + 5) }
    }
    return (0..<9 * channelCount).flatMap { Self.bytes(Self.values[$0 % 9], layout) }
  }

  @Test(arguments: SampleContainer.allCases, layouts)
  func `Written samples are read back, also by the reader`(
    container: SampleContainer, layout: PCMLayout
  ) throws {
    guard container.holds(layout) else { return }
    let scratch = try ScratchFolder()
    for channelCount in [1, 2, 6] {
      let path = scratch.path("\(channelCount).sound")
      let content = content(layout, channelCount)
      let file = try SampleFile(
        creating: path, container: container, layout: layout, channelCount: channelCount,
        hertz: 44_100)
      for start in stride(from: 0, to: content.count, by: 7) {
        try write(Array(content[start..<min(start + 7, content.count)]), to: file, at: start)
      }
      try file.close()
      let again = try SampleFile(path: path)
      #expect(again.container == container && again.layout.numbers == layout.numbers)
      #expect(again.layout.bits == layout.bits && again.channelCount == channelCount)
      #expect(again.hertz == 44_100 && again.frameCount == 9)
      var read = [UInt8](repeating: 0xEE, count: content.count + 5)
      let count = unsafe read.withUnsafeMutableBytes { unsafe again.read($0, at: 0) }
      #expect(count == content.count && read.prefix(count).elementsEqual(content))
      let witness = try SoundFileReader(path: path)
      #expect(witness.frameCount == 9 && witness.channelCount == channelCount)
      #expect(witness.shortfall == nil)
      guard ![.muLaw, .aLaw].contains(layout.numbers) else { continue }
      let samples = witness.read(Double.self, frameCount: 100)
      let expected = (0..<9 * channelCount).map { Self.values[$0 % 9] }
      #expect(samples.elementsEqual(expected), "\(container) \(layout) \(channelCount)")
    }
  }

  private func write(_ bytes: [UInt8], to file: SampleFile, at offset: Int) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe file.write($0, at: Int64(offset)) }
  }

  @Test(arguments: SampleContainer.allCases)
  func `The reader reads samples before the file is closed`(
    container: SampleContainer
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("open.sound")
    let layout = Self.layouts.first { container.holds($0) && $0.byteCount == 2 }
    let file = try SampleFile(
      creating: path, container: container, layout: #require(layout), channelCount: 2,
      hertz: 8_000)
    #expect(try SampleFile(path: path).frameCount == 0)
    try write([UInt8](repeating: 7, count: 40), to: file, at: 0)
    #expect(try SoundFileReader(path: path).frameCount == 10)
    file.updatesSizes = false
    try write([UInt8](repeating: 7, count: 40), to: file, at: 40)
    try file.close()
    #expect(try SoundFileReader(path: path).frameCount == 20)
  }

  @Test(arguments: [SampleContainer.wave, .rf64, .aiff, .aifc, .caf])
  func `Metadata follow the samples, and move when samples are added`(
    container: SampleContainer
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("texts.sound")
    let layout = try #require(Self.layouts.first { container.holds($0) && $0.byteCount == 3 })
    let file = try SampleFile(
      creating: path, container: container, layout: layout, channelCount: 1, hertz: 48_000)
    try write([UInt8](repeating: 1, count: 9), to: file, at: 0)
    var metadata = SoundFileMetadata()
    metadata.tags = [.title: "A title", .artist: "A singer"]
    metadata.markers = [.init(position: SampleTime(frames: 2), name: "here")]
    try file.close(metadata: metadata)
    // libsndfile does not read texts after the samples of RF64.
    let title: String? = container == .rf64 ? nil : "A title"
    #expect(try SoundFileReader(path: path).metadata.tags[.title] == title)

    let again = try SampleFile(path: path, access: .updating)
    try write([UInt8](repeating: 2, count: 6), to: again, at: 9)
    try write([UInt8](repeating: 3, count: 3), to: again, at: 0)
    try again.close()
    let reader = try SoundFileReader(path: path)
    #expect(reader.frameCount == 5 && reader.shortfall == nil)
    #expect(reader.metadata.tags[.title] == title)
    #expect(reader.metadata.tags[.artist] == title.map { _ in "A singer" })
    #expect(reader.metadata.markers.map(\.name) == ["here"])
    let samples = reader.read(Int32.self, frameCount: 10)
    #expect(samples.first == 0x0303_0300 && samples.last == 0x0202_0200)
  }

  @Test func `A layout for the loudspeakers is stated`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("surround.wav")
    let layout = Self.layout(.signed, 2, mask: 0x60F)
    let file = try SampleFile(
      creating: path, container: .wave, layout: layout, channelCount: 6, hertz: 48_000)
    try file.close()
    #expect(try SampleFile(path: path).layout.channelMask == 0x60F)
  }

  @Test func `Existing files, other files and impossible samples are refused`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("there.aiff")
    let layout = Self.layout(.signed, 2, isLittle: false)
    func create(_ path: String, _ layout: PCMLayout, _ channelCount: Int = 1) throws {
      _ = try SampleFile(
        creating: path, container: .aiff, layout: layout, channelCount: channelCount,
        hertz: 44_100, mayReplace: false)
    }
    try create(path, layout)
    #expect(throws: SoundFileError.exists(path: path)) { try create(path, layout) }
    #expect(throws: SoundFileError.self) { try create(scratch.path("no/folder.aiff"), layout) }
    #expect(throws: SoundFileError.self) {
      try create(scratch.path("b.aiff"), Self.layout(.floating, 4))
    }
    #expect(throws: SoundFileError.self) { try create(scratch.path("c.aiff"), layout, 2000) }
    #expect(throws: SoundFileError.self) { try SampleFile(path: scratch.path("none.wav")) }
    #expect(throws: SoundFileError.self) {
      try SampleFile(source: SoundBytes([UInt8](repeating: 0xFF, count: 4000)))
    }
  }

  @Test func `Writing after the end, before the start and after closing is refused`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("short.wav")
    let file = try SampleFile(
      creating: path, container: .wave, layout: Self.layout(.signed, 2), channelCount: 1,
      hertz: 44_100)
    #expect(throws: SoundFileError.self) {
      try write([UInt8(1), 2], to: file, at: 2)
    }
    #expect(throws: SoundFileError.self) {
      try write([UInt8(1), 2], to: file, at: -1)
    }
    #expect(file.byteCount == 0)
    try file.close()
    #expect(throws: SoundFileError.self) {
      try write([UInt8(1), 2], to: file, at: 0)
    }
  }

  /// A mono file of 16 bits with an incomplete last frame and a title.
  private static func cutFile() -> [UInt8] {
    let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
    let list = Array("LIST".utf8) + [18, 0, 0, 0] + Array("INFOINAM".utf8) + [6, 0, 0, 0]
    let chunks =
      Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + format + Array("data".utf8)
      + [5, 0, 0, 0, 1, 0, 2, 0, 9, 0] + list + Array("Title".utf8) + [0]
    return Array("RIFF".utf8) + [UInt8(chunks.count), 0, 0, 0] + chunks
  }

  @Test func `Samples replace an incomplete last frame, and later chunks move`() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write("cut.wav", Self.cutFile())
    let file = try SampleFile(path: path, access: .updating)
    #expect(file.byteCount == 4)
    try write([3, 0, 4, 0], to: file, at: 4)
    try file.close()
    let reader = try SoundFileReader(path: path)
    #expect(reader.read(Int16.self, frameCount: 10) == [1, 2, 3, 4])
    #expect(reader.metadata.tags[.title] == "Title" && reader.shortfall == nil)
  }

  @Test func `An existing file keeps its own metadata`() throws {
    let scratch = try ScratchFolder()
    // Sizes are big-endian.
    let bytes =
      Array("RIFX".utf8) + [0, 0, 0, 40] + Array("WAVEfmt ".utf8) + [0, 0, 0, 16]
      + [0, 1, 0, 1, 0, 0, 0x1F, 0x40, 0, 0, 0x3E, 0x80, 0, 2, 0, 16] + Array("data".utf8)
      + [0, 0, 0, 4, 0, 1, 0, 2]
    let path = try scratch.write("big.wav", bytes)
    var metadata = SoundFileMetadata()
    metadata.tags = [.title: "Another"]
    try SampleFile(path: path, access: .updating).close(metadata: metadata)
    #expect(try scratch.bytes("big.wav") == bytes)
  }
}
