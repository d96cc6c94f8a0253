// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import Glibc
import MusicalTime
import TestSupport

/// Core Audio Format files whose chunks claim any numbers, with packets that can be decoded: read,
/// converted and cut, within a bound of memory.
struct CoreAudioTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds: [CAFBytes]
  private var (taken, refused) = (0, 0)
  /// The most bytes that one round took, and how many more are resident than before the first.
  private var (peak, growth) = (0, 0)
  /// Memory of the process before the first round, in bytes, once the libraries are loaded.
  private let base: Int

  /// 64 MiB, and 4 times the bytes decoded, of at most 256 KiB of input and 20,000 frames.
  private static let most = 68 << 20
  /// The most bytes that all rounds may keep.
  private static let mostGrowth = 64 << 20

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    seeds = try Self.seeds(scene.folder.appendingPathComponent("cafs.seed").path)
    base = try PeakMemory.restart()
  }

  private static let encodings: [SoundFileFormat.Encoding] = [
    .integer16, .float32, .muLaw, .aac, .alac16, .alac24, .imaADPCM,
  ]

  /// Files of every codec that can be written here, taken apart.
  private static func seeds(_ path: String) throws -> [CAFBytes] {
    guard let rate = SampleRate(hertz: 44_100) else { throw FuzzFault(sentence: "no rate") }
    let samples = (0..<12_000).map { Float(sin(Double($0) / 20)) }
    return try encodings.compactMap { encoding in
      let format = try SoundFileFormat(.caf, encoding)
      guard CodecCatalog.canWrite(format) else { return nil }
      let writer = try SoundFileWriter(path: path, format: format, channelCount: 2, rate: rate)
      try writer.write(samples.span)
      try writer.finish()
      defer { unsafe unlink(path) }
      return Self.parts([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
  }

  /// The description, the chunks before and behind the sound, and the sound.
  private static func parts(_ bytes: [UInt8]) -> CAFBytes {
    var (file, place, isBehind) = (CAFBytes(), 8, false)
    let number = { (place: Int, count: Int) in
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    while place + 12 <= bytes.count {
      let (name, size) = (
        String(decoding: bytes[place..<place + 4], as: UTF8.self), number(place + 4, 8)
      )
      let content = Array(bytes[place + 12..<place + 12 + size])
      switch name {
      case "desc":
        file.codec = String(decoding: content[8..<12], as: UTF8.self)
        file.flags = UInt32(number(place + 24, 4))
        file.bytesPerPacket = UInt32(number(place + 28, 4))
        file.framesPerPacket = UInt32(number(place + 32, 4))
        file.channelCount = UInt32(number(place + 36, 4))
        file.bitsPerChannel = UInt32(number(place + 40, 4))
      case "data": (file.sound, isBehind) = (Array(content.dropFirst(4)), true)
      default:
        let chunk = CAFBytes.chunk(name, content)
        if isBehind { file.behind.append(chunk) } else { file.before.append(chunk) }
      }
      place += 12 + size
    }
    return file
  }

  var tally: String {
    "\(taken) taken, \(refused) refused of \(seeds.count) kinds, \(peak >> 20) MiB at most,"
      + " \(growth >> 20) MiB kept"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = file(&random).bytes
    if Int.random(in: 0..<4, using: &random) == 0 {
      Mutation.damage(&bytes, near: 400, &random)
    }
    try scene.keep(bytes)
    let before = try PeakMemory.restart()
    do {
      try read(bytes, &random)
      taken += 1
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
    try checkMemory(since: before)
  }

  private mutating func checkMemory(since before: Int) throws {
    let taken = try PeakMemory.bytes() - before
    peak = max(peak, taken)
    growth = before - base
    // A sanitizer keeps what was freed.
    guard unsafe getenv("ASAN_OPTIONS") == nil else { return }
    try FuzzFault.unless(taken <= Self.most, "\(taken) bytes more than before the round")
    try FuzzFault.unless(growth <= Self.mostGrowth, "\(growth) bytes kept by the rounds before")
  }

  private func read(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    do {
      let reader = try PacketReader(path: scene.inputPath)
      let frames = reader.table.frameCount
      try FuzzFault.unless(
        (0...reader.table.decodedFrameCount).contains(frames), "\(frames) frames of sound")
      for number in [0, reader.table.packets.count - 1] { _ = reader.packet(number) }
    } catch SoundFileError.notSoundFile {
      // Samples are not packets.
    }
    let isMemory = Bool.random(using: &random)
    let reader =
      isMemory ? try SoundFileReader(bytes: bytes) : try SoundFileReader(path: scene.inputPath)
    try FuzzFault.unless(
      reader.frameCount == .max || (0...1 << 50).contains(reader.frameCount),
      "\(reader.frameCount) frames")
    try check(reader.metadata)
    var left = 20
    while left > 0, !reader.read(Float.self, frameCount: 1000).isEmpty { left -= 1 }
    _ = reader.locate(to: SampleTime(frames: Int64.random(in: 0...20_000, using: &random)))
    _ = reader.read(Int16.self, frameCount: 100)
    guard let rate = SampleRate(hertz: 192_000) else { return }
    try reader.setClient(ClientFormat(rate: rate))
    try FuzzFault.unless(reader.clientFrameCount >= 0, "\(reader.clientFrameCount) client frames")
  }

  /// Metadata can be moved, cut and compared with the metadata of other formats.
  private func check(_ metadata: SoundFileMetadata) throws {
    try FuzzFault.unless(
      metadata.markers.count <= 10_000 && metadata.regions.count <= 10_000, "too many markers")
    guard let from = SampleRate(hertz: 44_100), let to = SampleRate(hertz: 192_000) else { return }
    let part = metadata.scaled(from: from, to: to).excerpt(100..<5000)
    for container in SoundFileFormat.Container.allCases {
      _ = part.losses(in: try SoundFileFormat(container), seconds: 1)
    }
  }
}

extension CoreAudioTarget {
  /// Numbers at which sums and products overflow, and small ones.
  private static let telling: [UInt64] = [
    0, 1, 2, 1023, 1024, 1 << 24 - 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 40 - 1,
    1 << 49, 1 << 50, 1 << 56, 1 << 62, 1 << 63 - 1, 1 << 63, .max,
  ]

  private static func number(_ random: inout SplitMix) -> UInt64 {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: telling.randomElement(using: &random) ?? 0
    case 1: UInt64.random(in: 0...20_000, using: &random)
    default:
      UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
    }
  }

  private static func word(_ random: inout SplitMix) -> UInt32 {
    UInt32(truncatingIfNeeded: number(&random))
  }

  private static func size(_ random: inout SplitMix) -> Int64 {
    Int64(bitPattern: number(&random))
  }

  /// A file that is right but for some numbers.
  private func file(_ random: inout SplitMix) -> CAFBytes {
    var file = seeds.randomElement(using: &random) ?? CAFBytes()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: file.hertz = Double(bitPattern: Self.number(&random))
      case 1: file.bytesPerPacket = Self.word(&random)
      case 2: file.framesPerPacket = Self.word(&random)
      case 3: file.channelCount = Self.word(&random)
      case 4: file.claimedSoundSize = Self.size(&random)
      case 5: file.behind = [Self.table(&random)] + file.behind
      case 6: file.before += Self.texts(&random)
      case 7: file.behind += Self.marks(&random)
      case 8: file.codec = Self.codecs.randomElement(using: &random) ?? "lpcm"
      default: Self.lie(&file, &random)
      }
    }
    return file
  }

  private static let codecs = [
    "lpcm", "ulaw", "alaw", "aac ", "aach", "aacp", "alac", "ima4", ".mp3", ".mp2", "ac-3", "ec-3",
    "opus", "ilbc", "samr", "sawb", "MAC3", "QDM2", "agsm", "flac", "none",
  ]

  /// A packet table before that of the file, which is then not read.
  private static func table(_ random: inout SplitMix) -> [UInt8] {
    let entries = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      Int(number(&random) >> 1)
    }
    return CAFBytes.packetTable(
      count: size(&random), validFrames: size(&random),
      priming: Int32(truncatingIfNeeded: size(&random)),
      remainder: Int32(truncatingIfNeeded: size(&random)), entries: CAFBytes.entries(entries))
  }

  private static func texts(_ random: inout SplitMix) -> [[UInt8]] {
    let pairs = [("tempo", "\(number(&random))"), ("beat count", "\(size(&random))"), ("a", "b")]
    return [
      CAFBytes.chunk("info", CAFBytes.texts(pairs, claiming: word(&random))),
      CAFBytes.names([(1, "one"), (word(&random), "two")], claiming: word(&random)),
    ]
  }

  private static func marks(_ random: inout SplitMix) -> [[UInt8]] {
    let marker = CAFBytes.marker(word(&random), Double(bitPattern: number(&random)))
    let head = { (random: inout SplitMix) in
      CAFBytes.number(word(&random)) + CAFBytes.number(word(&random))
    }
    return [
      CAFBytes.chunk("mark", head(&random) + marker + marker, claiming: size(&random)),
      CAFBytes.chunk(
        "regn", head(&random) + head(&random) + CAFBytes.number(word(&random)) + marker + marker),
      CAFBytes.chunk("inst", (0..<7).flatMap { _ in CAFBytes.number(word(&random)) }),
      CAFBytes.chunk("ovvw", head(&random) + [1, 2, 3, 4], claiming: nil),
    ]
  }

  /// Another size of a chunk, or another number in its content.
  private static func lie(_ file: inout CAFBytes, _ random: inout SplitMix) {
    guard let index = file.behind.indices.randomElement(using: &random) else { return }
    Mutation.lie(&file.behind[index], near: 40, &random)
  }
}
