// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import Glibc
import MusicalTime
import TestSupport

/// MP4 files whose boxes claim any numbers, with packets that can be decoded: read, cut, joined and
/// converted, within a bound of memory.
struct BoxTarget: FuzzTarget {
  private let scene: FuzzScene
  /// Packets of AAC and their configuration; packets of nothing if no encoder is there.
  private let packets: [[UInt8]]
  private let cookie: [UInt8]
  private var (taken, refused) = (0, 0)
  /// The most bytes that one round took, and how many more are resident than before the first.
  private var (peak, growth) = (0, 0)
  /// Memory of the process before the first round, in bytes, once the libraries are loaded.
  private let base: Int

  /// 64 MiB, and 4 times the bytes decoded, of at most 256 KiB of input and 20,000 frames.
  private static let most = 68 << 20
  /// How many bytes more may be resident after all rounds than before the first.
  private static let mostGrowth = 64 << 20

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    let found = try Self.encoded(scene.folder.appendingPathComponent("boxes.m4a").path)
    packets = found?.packets ?? Array(repeating: [UInt8](repeating: 0x21, count: 6), count: 12)
    cookie = found?.cookie ?? [0x12, 0x10]
    base = try PeakMemory.restart()
  }

  /// Packets of AAC and their configuration.
  private struct Packets {
    let packets: [[UInt8]]
    let cookie: [UInt8]
  }

  /// Packets of AAC; nil if no encoder is there, so that only the index is read.
  private static func encoded(_ path: String) throws -> Packets? {
    do {
      try writeTone(path)
    } catch {
      guard case SoundFileError.codecsMissing = error else { throw error }
      return nil
    }
    let reader = try PacketReader(path: path)
    unsafe unlink(path)
    // Packets of another codec cannot be decoded as AAC.
    guard reader.formats.first?.codec == .aac else { return nil }
    let packets = reader.table.packets.indices.compactMap { reader.packet($0) }
    return Packets(packets: packets, cookie: reader.magicCookie)
  }

  private static func writeTone(_ path: String) throws {
    guard let rate = SampleRate(hertz: 44_100),
      let encoding = SoundFileFormat.Container.m4a.encodings.first
    else { throw FuzzFault(sentence: "no rate, or no encoding of M4A") }
    let samples = (0..<12_000).map { Float(sin(Double($0) / 20)) }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.m4a, encoding), channelCount: 1, rate: rate)
    try writer.write(samples.span)
    try writer.finish()
  }

  var tally: String {
    "\(taken) taken, \(refused) refused, \(peak >> 20) MiB at most, \(growth >> 20) MiB kept"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = file(&random).bytes
    if Int.random(in: 0..<4, using: &random) == 0 {
      let index = bytes.count - Int.random(in: 1...min(900, bytes.count), using: &random)
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    try scene.keep(bytes)
    let before = try PeakMemory.restart()
    do {
      try read(&random)
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

  private func read(_ random: inout SplitMix) throws {
    do {
      let reader = try PacketReader(path: scene.inputPath)
      let frames = reader.table.frameCount
      try FuzzFault.unless(
        (0...reader.table.decodedFrameCount).contains(frames), "\(frames) frames of sound")
      let start = Self.number(&random, below: 1 << 40)
      let end = start + 1 + Self.number(&random, below: 1 << 40)
      _ = PacketExcerpt(reader, frames: Int64(start)..<Int64(end), for: .m4a)
      if frames > 0 { _ = try PacketJoin([reader, reader], for: .m4a) }
    } catch SoundFileError.notSoundFile {
      // FFmpeg may read it all the same.
    }
    let reader = try SoundFileReader(path: scene.inputPath)
    try FuzzFault.unless(
      reader.frameCount == .max || (0...1 << 50).contains(reader.frameCount),
      "\(reader.frameCount) frames")
    var left = 20
    while left > 0, !reader.read(Float.self, frameCount: 1000).isEmpty { left -= 1 }
    let place = Self.number(&random, below: UInt64(Int64.max))
    _ = reader.locate(to: SampleTime(frames: Int64(place)))
    _ = reader.read(Int16.self, frameCount: 100)
    guard let rate = SampleRate(hertz: 192_000) else { return }
    try reader.setClient(ClientFormat(rate: rate))
    try FuzzFault.unless(reader.clientFrameCount >= 0, "\(reader.clientFrameCount) client frames")
  }
}

extension BoxTarget {
  /// Numbers at which sums and products overflow, and small ones.
  private static let telling: [UInt64] = [
    0, 1, 2, 1023, 1024, 1 << 24 - 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 40 - 1,
    1 << 49, 1 << 50 - 1, 1 << 50, 1 << 56 - 1, 1 << 62, 1 << 63 - 1, 1 << 63, .max,
  ]

  private static func number(_ random: inout SplitMix, below limit: UInt64 = .max) -> UInt64 {
    let number =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: telling.randomElement(using: &random) ?? 0
      case 1: UInt64.random(in: 0...20_000, using: &random)
      default:
        UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
      }
    return number < limit ? number : number % limit
  }

  private static func word(_ random: inout SplitMix) -> UInt32 {
    UInt32(truncatingIfNeeded: number(&random))
  }

  /// A file that is right but for some numbers.
  private func file(_ random: inout SplitMix) -> MP4Bytes {
    var file = MP4Bytes(packets: packets)
    file.cookie = cookie
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1, 2:
        let count = Int.random(in: 1...3, using: &random)
        file.edits = (0..<count).map { _ in
          MP4Bytes.Edit(
            length: Self.number(&random), start: Int64(bitPattern: Self.number(&random)))
        }
        file.editVersion = UInt8.random(in: 0...1, using: &random)
      case 3: file.movieUnits = Self.word(&random)
      case 4: file.mediaUnits = Self.word(&random)
      case 5: file.mediaDuration = Self.number(&random)
      case 6: file.claimedEditCount = Self.word(&random)
      case 7: file.packetSize = Self.word(&random)
      case 8: file.claimedPacketCount = Self.word(&random)
      case 9: file.durations = [(Self.word(&random), Self.word(&random)), (.max, 1024)]
      case 10: file.packetsPerChunk = Self.word(&random)
      default:
        if Bool.random(using: &random) {
          file.offsets = [Self.number(&random), Self.number(&random)]
        } else if Bool.random(using: &random) {
          file.descriptionCount = 2
        } else {
          file.chapters = [(Self.number(&random), "a"), (Self.number(&random), "")]
        }
      }
    }
    return file
  }
}
