// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import TestSupport

/// MP4 that arrives in pieces, with its index first or in fragments, whose boxes claim any numbers.
///
/// Two ways to cut the bytes have to give the same packets, within a bound of memory.
struct MovieTarget: FuzzTarget {
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
    var bytes = Bool.random(using: &random) ? whole(&random) : fragments(&random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Mutation.damage(&bytes, near: 1200, &random)
    case 1: Mutation.lie(&bytes, near: 1200, &random)
    default: break
    }
    try scene.keep(bytes)
    let before = try PeakMemory.restart()
    let first = try parse(bytes, &random)
    let second = try parse(bytes, &random)
    try FuzzFault.unless(first == second, "other packets if the bytes are cut at other places")
    try wander(bytes, &random)
    if first.isEmpty { empty += 1 } else { found += 1 }
    packetCount += first.count
    let taken = try PeakMemory.bytes() - before
    peak = max(peak, taken)
    // A sanitizer keeps freed memory.
    guard unsafe getenv("ASAN_OPTIONS") == nil else { return }
    try FuzzFault.unless(taken <= Self.most, "\(taken) bytes more than before the round")
  }

  /// Appends all bytes in pieces.
  private func parse(
    _ bytes: [UInt8], _ random: inout SplitMix
  ) throws -> [SoundStream.Packet] {
    var stream = SoundStream(byteCount: Int64(bytes.count), kind: .mp4)
    var packets: [SoundStream.Packet] = []
    let largest = [1, 9, 100, 5000].randomElement(using: &random) ?? 9
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
      let end = packet.offset + Int64(packet.byteCount)
      try FuzzFault.unless(
        packet.offset >= 0 && end <= Int64(bytes.count) && packet.byteCount > 0
          && packet.bytes == Array(bytes[Int(packet.offset)..<Int(end)]),
        "a packet at \(packet.offset) with \(packet.byteCount) bytes")
      try FuzzFault.unless(
        packet.frameCount >= 0 && packet.firstFrame >= 0, "\(packet.frameCount) frames")
    }
    try FuzzFault.unless(
      zip(packets, packets.dropFirst()).allSatisfy { $0.offset <= $1.offset }, "out of order")
    return packets
  }

  /// Moves about, with gaps.
  private func wander(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    var stream = SoundStream(byteCount: Bool.random(using: &random) ? Int64(bytes.count) : nil)
    stream.append(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    for _ in 0..<4 {
      var start = Int.random(in: 0...bytes.count, using: &random)
      let frame = Int64.random(in: 0...40_000, using: &random)
      let place =
        Bool.random(using: &random)
        ? stream.seek(toFrame: frame) : stream.seek(toPacket: Int(frame / 1024))
      if let place, place.offset <= Int64(bytes.count) { start = Int(place.offset) }
      if let index = stream.indexOffset, index <= Int64(bytes.count) { start = Int(index) }
      try FuzzFault.unless((place?.offset ?? 0) >= 0, "a place before the stream")
      if Int.random(in: 0..<4, using: &random) == 0 {
        stream.noteDiscontinuity()
        stream.append(bytes[start...])
      } else {
        stream.append(bytes[start...], at: Int64(start))
      }
      _ = (stream.takePackets(), stream.packetCount, stream.frameCount)
      if Bool.random(using: &random) { stream.finish() }
    }
  }
}

extension MovieTarget {
  /// Numbers at which sums and products overflow, and small ones.
  private static let limits: [UInt64] = [
    0, 1, 2, 1023, 1024, 1 << 24 - 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 40 - 1,
    1 << 50, 1 << 58 - 1, 1 << 58, 1 << 60, 1 << 62, 1 << 63 - 1, 1 << 63, .max,
  ]

  private static func number(_ random: inout SplitMix) -> UInt64 {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: limits.randomElement(using: &random) ?? 0
    case 1: UInt64.random(in: 0...5000, using: &random)
    default:
      UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
    }
  }

  private static func word(_ random: inout SplitMix) -> UInt32 {
    UInt32(truncatingIfNeeded: number(&random))
  }

  private static func packets(_ random: inout SplitMix) -> [[UInt8]] {
    (0..<Int.random(in: 0...12, using: &random)).map { number in
      Array(repeating: UInt8(number), count: Int.random(in: 0...40, using: &random))
    }
  }

  /// A file with its index first and a few numbers that are wrong.
  private func whole(_ random: inout SplitMix) -> [UInt8] {
    var file = MP4Bytes(packets: Self.packets(&random))
    file.hasIndexFirst = Int.random(in: 0..<5, using: &random) > 0
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        file.edits = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          MP4Bytes.Edit(
            length: Self.number(&random), start: Int64(bitPattern: Self.number(&random)))
        }
        file.editVersion = UInt8.random(in: 0...1, using: &random)
      case 2: file.movieUnits = Self.word(&random)
      case 3: file.mediaUnits = Self.word(&random)
      case 4: file.claimedEditCount = Self.word(&random)
      case 5: file.packetSize = Self.word(&random)
      case 6: file.claimedPacketCount = Self.word(&random)
      case 7: file.durations = [(Self.word(&random), Self.word(&random)), (.max, 1024)]
      case 8: file.packetsPerChunk = Self.word(&random)
      default: file.offsets = [Self.number(&random), Self.number(&random)]
      }
    }
    return file.bytes
  }

  /// Fragments with a few numbers that are wrong.
  private func fragments(_ random: inout SplitMix) -> [UInt8] {
    var stream = MP4FragmentBytes()
    var time: UInt64 = 0
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var fragment = MP4FragmentBytes.Fragment(packets: Self.packets(&random))
      fragment.time = Int.random(in: 0..<6, using: &random) == 0 ? nil : time
      time += 1024 * UInt64(fragment.packets.count)
      if Bool.random(using: &random) { spoil(&fragment, &random) }
      stream.fragments.append(fragment)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      stream.defaults = (Self.word(&random), Self.word(&random))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      stream.references = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (Self.word(&random), Self.word(&random))
      }
      if Bool.random(using: &random) {
        stream.claimedReferenceCount = UInt16(truncatingIfNeeded: Self.number(&random))
      }
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      stream.between = Self.packets(&random).flatMap { $0 }
    }
    return stream.bytes
  }

  private func spoil(_ fragment: inout MP4FragmentBytes.Fragment, _ random: inout SplitMix) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: fragment.track = Self.word(&random)
    case 1:
      fragment.flags = [0, 1, 9, 17, 0x02_0018].randomElement(using: &random) ?? 0
      fragment.base = Self.number(&random)
    case 2: (fragment.flags, fragment.duration) = (0x02_0008, Self.word(&random))
    case 3: (fragment.flags, fragment.byteCount) = (0x02_0018, Self.word(&random))
    case 4: fragment.time = Self.number(&random)
    case 5: fragment.runFlags = [0, 1, 5, 0x101, 0x301].randomElement(using: &random) ?? 0
    case 6: fragment.dataOffset = Self.word(&random)
    default: fragment.claimedCount = Self.word(&random)
    }
  }
}
