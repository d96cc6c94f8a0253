// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@testable import AudioFiles

/// Core Audio Format files made by hand.
struct CAFReaderTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A second of silence.
  private var silence: CAFBytes {
    var file = CAFBytes()
    file.sound = [UInt8](repeating: 0, count: 4 * 44_100)
    return file
  }

  private func reader(_ file: CAFBytes) throws -> SoundFileReader {
    try folder.write(file.bytes, to: "a.caf")
    return try SoundFileReader(path: folder.path("a.caf"))
  }

  @Test func `markers, regions, loops and the instrument have their names and frames`() throws {
    var file = silence
    let region = { (number: UInt32, flags: UInt32, start: Double, end: Double) in
      CAFBytes.number(number) + CAFBytes.number(flags) + CAFBytes.number(UInt32(2))
        + CAFBytes.marker(number, start) + CAFBytes.marker(number, end)
    }
    let zero = CAFBytes.number(UInt32(0))
    file.behind = [
      CAFBytes.chunk(
        "mark",
        CAFBytes.number(UInt32(2)) + CAFBytes.number(UInt32(3)) + CAFBytes.marker(7, 100)
          + CAFBytes.marker(8, 44_099.6)
          // Ten seconds and five frames at 25 fps, because no frame is stated.
          + CAFBytes.marker(9, .nan, time: [0, 0, 10, 5, 0, 0, 0, 3])),
      CAFBytes.chunk(
        "regn",
        zero + CAFBytes.number(UInt32(3)) + region(20, 2, 10, 20) + region(21, 7, 1000, 2000)
          + region(22, 3, 300, 500)),
      CAFBytes.names([(7, "start"), (8, "end – ä"), (20, "verse")]),
      CAFBytes.chunk(
        "inst",
        CAFBytes.number(Float(60.25).bitPattern) + [36, 72, 1, 100]
          + CAFBytes.number(Float(-6).bitPattern) + zero + CAFBytes.number(UInt32(22))
          + CAFBytes.number(UInt32(21)) + zero),
    ]
    let metadata = try reader(file).metadata
    #expect(metadata.markers.map(\.position.frames) == [100, 44_100, 449_823])
    #expect(metadata.markers.map(\.name) == ["start", "end – ä", ""])
    #expect(metadata.regions == [.init(10..<20, name: "verse")])
    let instrument = try #require(metadata.instrument)
    #expect(instrument.baseKey == 60 && instrument.detune == 25 && instrument.gain == -6)
    #expect(instrument.keys == 36...72 && instrument.velocities == 1...100)
    // The sustain loop is the first, the release loop the second.
    #expect(
      instrument.loops == [.init(300..<500), .init(1000..<2000, direction: .alternating)])
  }

  @Test func `texts become tags, a tempo and strings`() throws {
    var file = silence
    file.before = [
      CAFBytes.chunk(
        "info",
        CAFBytes.texts([
          ("title", "A title"), ("Comments", "fine"), ("track number", "3"), ("tempo", "98.5"),
          ("time signature", "3/4"), ("composer", "Anna"), ("encoding application", "test"),
        ]))
    ]
    let metadata = try reader(file).metadata
    #expect(
      metadata.tags == [.title: "A title", .comment: "fine", .trackNumber: "3", .software: "test"])
    #expect(metadata.strings == ["composer": "Anna"])
    #expect(metadata.tempo?.beatsPerMinute == 98.5)
    #expect(try #require(metadata.tempo).signature == (3, 4))
  }

  @Test func `an Apple Loop's beats give the tempo`() throws {
    var file = silence
    file.sound += file.sound
    let identifier: [UInt8] = [
      0x29, 0x81, 0x92, 0x73, 0xB5, 0xBF, 0x4A, 0xEF, 0xB7, 0x8D, 0x62, 0xD1, 0xEF, 0x90, 0xBB,
      0x2C,
    ]
    file.before = [
      CAFBytes.chunk(
        "uuid",
        identifier
          + CAFBytes.texts([
            ("beat count", "4"), ("time signature", "4/4"), ("category", "Drums"),
          ]))
    ]
    let metadata = try reader(file).metadata
    // Four beats in two seconds.
    #expect(metadata.tempo?.beatsPerMinute == 120 && metadata.tempo?.beatCount == 4)
    #expect(metadata.strings == ["category": "Drums"])
  }

  @Test func `peaks, the overview, a MIDI file and edit comments are kept`() throws {
    var file = silence
    let peak = { (value: Float, frame: UInt64) in
      CAFBytes.number(value.bitPattern) + CAFBytes.number(frame)
    }
    file.behind = [
      CAFBytes.chunk("peak", CAFBytes.number(UInt32(0)) + peak(0.5, 7) + peak(0.25, 9)),
      CAFBytes.chunk(
        "ovvw",
        CAFBytes.number(UInt32(0)) + CAFBytes.number(UInt32(100)) + [0xFF, 0xFE, 0, 3]
          + [0, 0, 0, 1]),
      CAFBytes.chunk("midi", Array("MThd".utf8)),
      CAFBytes.chunk("edct", CAFBytes.texts([("2026-11-30T12:00:00Z", "cut")])),
      CAFBytes.chunk("free", [0, 0]), CAFBytes.chunk("umid", [UInt8](repeating: 1, count: 64)),
    ]
    let metadata = try reader(file).metadata
    #expect(metadata.peaks == [.init(value: 0.5, frame: 7), .init(value: 0.25, frame: 9)])
    #expect(metadata.overview == .init(framesPerStep: 100, samples: [-2...3, 0...1]))
    #expect(metadata.midiFile == Array("MThd".utf8))
    #expect(metadata.editComments == ["2026-11-30T12:00:00Z": "cut"])
  }

  @Test func `a packet table states sizes, frames, priming and remainder`() throws {
    var file = CAFBytes()
    (file.codec, file.bytesPerPacket, file.framesPerPacket, file.bitsPerChannel) = ("aac ", 0, 0, 0)
    file.sound = [UInt8](repeating: 0x21, count: 5 + 300 + 20_000)
    file.behind = [
      CAFBytes.packetTable(
        count: 3, validFrames: 2500, priming: 100, remainder: 472,
        entries: CAFBytes.entries([5, 1024, 300, 1024, 20_000, 1024]))
    ]
    try folder.write(file.bytes, to: "a.caf")
    let table = try PacketReader(path: folder.path("a.caf")).table
    #expect(table.packets.map(\.byteCount) == [5, 300, 20_000])
    #expect(table.packets.map(\.frameCount) == [1024, 1024, 1024])
    #expect(table.packets.map(\.offset) == [68, 73, 373])
    #expect(table.frameCount == 2500 && table.primingFrameCount == 100)
    #expect(table.remainderFrameCount == 472)
  }

  @Test func `packets of one size do not need a table`() throws {
    var file = CAFBytes()
    (file.codec, file.bytesPerPacket, file.framesPerPacket) = ("ima4", 68, 64)
    file.bitsPerChannel = 0
    file.sound = [UInt8](repeating: 0, count: 68 * 10 + 5)
    try folder.write(file.bytes, to: "a.caf")
    let reader = try PacketReader(path: folder.path("a.caf"))
    #expect(reader.table.packets.count == 10 && reader.table.frameCount == 640)
    #expect(reader.formats.map { "\($0)" } == ["IMA ADPCM, 44100 Hz, 2 channels"])
    file.behind = [CAFBytes.packetTable(count: 10, validFrames: 630, remainder: 10, entries: [])]
    file.sound.removeLast(5)
    try folder.write(file.bytes, to: "a.caf")
    #expect(try PacketReader(path: folder.path("a.caf")).table.frameCount == 630)
  }

  @Test(arguments: [-1, 0, 3, .max, .min, 1 << 40] as [Int64])
  func `a sound of any stated size has the available frames`(size: Int64) throws {
    var file = silence
    file.claimedSoundSize = size
    do {
      let frames = try reader(file).read(Int16.self, frameCount: 100_000).count / 2
      #expect(frames <= 44_100 && (size != -1 || frames == 44_100))
    } catch is SoundFileError {
      // libsndfile rejects sizes of a terabyte, and FFmpeg negative sizes.
      #expect(size != -1)
    }
  }

  @Test(arguments: [0, 1, 10_000, .max, 1 << 62, -1] as [Int64])
  func `a table that states any number of packets has the available ones`(count: Int64) throws {
    var file = CAFBytes()
    (file.codec, file.bytesPerPacket, file.framesPerPacket, file.bitsPerChannel) =
      ("aac ", 0, 1024, 0)
    file.sound = [UInt8](repeating: 0x21, count: 60)
    let lengths: [(frames: Int64, priming: Int32)] = [
      (.max, .max), (.min, .min), (0, 0), (5000, 1024),
    ]
    for length in lengths {
      file.behind = [
        CAFBytes.packetTable(
          count: count, validFrames: length.frames, priming: length.priming,
          remainder: length.priming, entries: CAFBytes.entries(Array(repeating: 6, count: 10)))
      ]
      try folder.write(file.bytes, to: "a.caf")
      guard let table = packetTable("a.caf") else {
        #expect(count < 0)
        continue
      }
      #expect(table.packets.count == Int(max(0, min(10, count))))
      #expect((0...10_240).contains(table.frameCount))
    }
  }

  private func packetTable(_ name: String) -> PacketTable? {
    do { return try PacketReader(path: folder.path(name)).table } catch { return nil }
  }

  @Test(arguments: ["mark", "regn", "strg", "info", "edct", "peak", "ovvw", "inst", "uuid"])
  func `chunks that state too many bytes end with the file`(name: String) throws {
    for filler in [0x00, 0x41, 0xFF] as [UInt8] {
      var file = silence
      file.behind = [
        CAFBytes.chunk(name, Array(repeating: 0xFF, count: 8) + Array(repeating: filler, count: 50))
      ]
      #expect(try reader(file).frameCount == 44_100)
      // A size after the end of the file, and negative sizes.
      for size in [1 << 60, -2, .min] as [Int64] {
        file.behind = [CAFBytes.chunk(name, Array(repeating: filler, count: 50), claiming: size)]
        #expect(try reader(file).frameCount == 44_100)
      }
    }
  }

  @Test func `an encoded file without its packet table is refused with the reason`() throws {
    var file = CAFBytes()
    (file.codec, file.bytesPerPacket, file.framesPerPacket) = ("aac ", 0, 1024)
    file.sound = [UInt8](repeating: 0x21, count: 60)
    #expect(
      throws: SoundFileError.notSoundFile(
        path: folder.path("a.caf"), reason: "its packet table (pakt) is missing or damaged")
    ) { try reader(file) }
  }
}
