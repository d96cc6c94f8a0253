// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import TestSupport

/// MPEG transport streams that arrive in pieces, damaged, with parts missing and repeated.
///
/// Two ways to cut the bytes have to give the same packets, within a bound of memory.
struct TransportTarget: FuzzTarget {
  private let scene: FuzzScene
  private var (found, empty, packetCount) = (0, 0, 0)
  private var peak = 0

  /// 64 MiB, and 4 times the bytes of an input.
  private static let most = 65 << 20

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String {
    "\(found) with packets, \(empty) without, \(packetCount) packets, \(peak >> 20) MiB at most"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = Self.sample(&random)
    for _ in 0..<Int.random(in: 0...3, using: &random) { Self.harm(&bytes, &random) }
    try scene.keep(bytes)
    let before = try PeakMemory.restart()
    let first = try Self.parse(bytes, &random)
    try FuzzFault.unless(
      try first == Self.parse(bytes, &random), "other packets if the bytes are cut elsewhere")
    try Self.wander(bytes, &random)
    if first.isEmpty { empty += 1 } else { found += 1 }
    packetCount += first.count
    let taken = try PeakMemory.bytes() - before
    peak = max(peak, taken)
    // A sanitizer keeps freed memory.
    guard unsafe getenv("ASAN_OPTIONS") == nil else { return }
    try FuzzFault.unless(taken <= Self.most, "\(taken) bytes more than before the round")
  }

  private static func sample(_ random: inout SplitMix) -> [UInt8] {
    var transport = TransportBytes()
    let types: [UInt8] = [0x0F, 0x0F, 0x0F, 0x03, 0x11, 0x81, 0xCF, 0x1B]
    let packets = TransportBytes.aac(12, seed: random.next())
    for start in stride(from: 0, to: packets.count, by: 3) {
      if start == 0 || Int.random(in: 0..<4, using: &random) == 0 {
        transport.tables(soundType: types.randomElement(using: &random) ?? 0x0F)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        transport.pes(
          stream: TransportBytes.tagStream, TransportBytes.tag(title: "Song \(start)"),
          time: Int64.random(in: 0..<1 << 33, using: &random))
      }
      let time = Bool.random(using: &random) ? Int64(start) * 2090 : nil
      transport.pes(packets[start..<start + 3].flatMap { $0 }, time: time)
    }
    return transport.bytes
  }

  /// Drops, repeats or exchanges packets, or damages bytes, those of headers above all.
  private static func harm(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let count = bytes.count / 188
    guard count > 2 else { return }
    let one = 188 * Int.random(in: 0..<count, using: &random)
    let other = 188 * Int.random(in: 0..<count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.removeSubrange(one..<one + 188)
    case 1: bytes.insert(contentsOf: bytes[one..<one + 188], at: other)
    case 2:
      let place = one + Int.random(in: 0..<24, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 3: bytes.replaceSubrange(one..<one + 188, with: bytes[other..<other + 188])
    case 4: Mutation.lie(&bytes, near: bytes.count, &random)
    default: Mutation.damage(&bytes, &random)
    }
  }

  /// Appends all bytes in pieces.
  private static func parse(
    _ bytes: [UInt8], _ random: inout SplitMix
  ) throws -> [SoundStream.Packet] {
    var stream = SoundStream(kind: .transport)
    var packets: [SoundStream.Packet] = []
    let largest = [1, 9, 187, 189, 5000].randomElement(using: &random) ?? 9
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + Int.random(in: 1...largest, using: &random))
      stream.append(bytes[place..<end])
      packets += stream.takePackets()
      place = end
    }
    stream.finish()
    packets += stream.takePackets()
    for packet in packets {
      try FuzzFault.unless(
        (0...Int64(bytes.count)).contains(packet.offset) && packet.byteCount > 0
          && packet.byteCount < 1 << 13 && packet.frameCount > 0 && packet.firstFrame >= 0,
        "a packet at \(packet.offset) with \(packet.byteCount) bytes")
    }
    return packets
  }

  /// Moves about, with gaps, and without a known kind.
  private static func wander(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    var stream = SoundStream(byteCount: Bool.random(using: &random) ? Int64(bytes.count) : nil)
    stream.takesOtherFormats = Bool.random(using: &random)
    stream.append(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    for _ in 0..<4 {
      let start = Int.random(in: 0...bytes.count, using: &random)
      if Bool.random(using: &random) {
        stream.noteDiscontinuity()
        stream.append(bytes[start...])
      } else {
        stream.append(bytes[start...], at: Int64(start))
      }
      _ = (stream.takePackets(), stream.packetCount, stream.frameCount)
      _ = (stream.seek(toPacket: start), stream.seek(toFrame: Int64(start)))
      if Bool.random(using: &random) { stream.finish() }
    }
  }
}
