// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import TestSupport

/// Ogg, FLAC and PCM that arrive in pieces and claim any numbers.
///
/// Two ways to cut the bytes have to give the same packets, within a bound of memory. Packets are
/// decoded if a decoder is installed.
struct ContainerTarget: FuzzTarget {
  /// The containers that are made.
  enum Family { case ogg, flac, pcm }

  private let scene: FuzzScene
  private let family: Family
  private let seeds: ContainerSeeds
  private var (found, empty, packetCount, frameCount) = (0, 0, 0, Int64(0))
  private var (refused, peak) = (0, 0)

  /// Bytes of memory for a round: 64 MiB, 4 times the input, and 4 times the decoded samples.
  private static let most = 64 << 20

  init(_ scene: FuzzScene, _ family: Family) throws {
    (self.scene, self.family) = (scene, family)
    seeds = try ContainerSeeds(in: scene.folder, family)
  }

  var tally: String {
    "\(found) with packets, \(empty) without, \(packetCount) packets, \(frameCount) frames decoded, "
      + "\(refused) without a decoder, \(peak >> 20) MiB at most"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = seeds.make(&random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Mutation.damage(&bytes, near: 600, &random)
    case 1: Mutation.lie(&bytes, near: 100, &random)
    default: break
    }
    try scene.keep(bytes)
    let before = try PeakMemory.restart()
    let first = try Found(bytes, &random), second = try Found(bytes, &random)
    try FuzzFault.unless(first == second, "something else if the bytes are cut at other places")
    try wander(bytes, &random)
    let samples = try decode(first)
    if first.packets.isEmpty { empty += 1 } else { found += 1 }
    packetCount += first.packets.count
    let taken = try PeakMemory.bytes() - before
    peak = max(peak, taken)
    // A sanitizer keeps freed memory.
    guard unsafe getenv("ASAN_OPTIONS") == nil else { return }
    let most = Self.most + 4 * bytes.count + 4 * 8 * samples
    try FuzzFault.unless(taken <= most, "\(taken) bytes more than before the round")
  }

  /// Decodes all packets; returns the number of samples.
  private mutating func decode(_ found: Found) throws -> Int {
    guard let first = found.first else { return 0 }
    var count = 0
    do {
      let decoder = try StreamDecoder(first)
      for packet in found.packets {
        for sound in try decoder.decode(packet) {
          count += sound.samples.count
          frameCount += Int64(sound.frameCount)
        }
      }
      count += decoder.finish().reduce(0) { $0 + $1.samples.count }
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
    return count
  }

  /// Moves about, with gaps.
  private func wander(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    var stream = SoundStream(byteCount: Bool.random(using: &random) ? Int64(bytes.count) : nil)
    stream.takesOtherFormats = Bool.random(using: &random)
    stream.append(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    for _ in 0..<5 {
      var start = Int.random(in: 0...bytes.count, using: &random)
      let frame = Int64.random(in: 0...40_000, using: &random)
      let place =
        Bool.random(using: &random)
        ? stream.seek(toFrame: frame) : stream.seek(toPacket: Int(frame / 1024))
      if let place, place.offset <= Int64(bytes.count) { start = Int(place.offset) }
      try FuzzFault.unless(
        (place?.offset ?? 0) >= 0 && (place?.packet ?? 0) >= 0 && (place?.firstFrame ?? 0) >= 0,
        "a place before the stream")
      if Int.random(in: 0..<4, using: &random) == 0 {
        stream.noteDiscontinuity()
        stream.append(bytes[start...])
      } else {
        stream.append(bytes[start...], at: Int64(start))
      }
      for packet in stream.takePackets() {
        try FuzzFault.unless(packet.firstFrame >= 0, "a frame \(packet.firstFrame)")
      }
      let counts = (stream.packetCount?.value ?? 0, stream.frameCount?.value ?? 0)
      try FuzzFault.unless(counts.0 >= 0 && counts.1 >= 0, "\(counts) packets and frames")
      if Bool.random(using: &random) { stream.finish() }
    }
  }
}

extension ContainerTarget {
  /// All that a stream finds in some bytes.
  private struct Found: Equatable {
    private(set) var packets: [SoundStream.Packet] = []
    /// The first properties, or later ones if both are in one piece.
    private(set) var first: SoundStream.Properties?
    private let strayByteCount: Int64
    private let frameCount: Int64?

    static func == (one: Found, other: Found) -> Bool {
      one.packets == other.packets && one.strayByteCount == other.strayByteCount
        && one.frameCount == other.frameCount
    }

    /// Appends all bytes in pieces.
    init(_ bytes: [UInt8], _ random: inout SplitMix) throws {
      var stream = SoundStream(byteCount: Int64(bytes.count))
      let largest = [1, 9, 100, 5000, 100_000].randomElement(using: &random) ?? 9
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + Int.random(in: 1...largest, using: &random))
        stream.append(bytes[place..<end])
        packets += stream.takePackets()
        if first == nil { first = stream.properties }
        place = end
      }
      stream.finish()
      packets += stream.takePackets()
      if first == nil { first = stream.properties }
      (strayByteCount, frameCount) = (stream.strayByteCount, stream.frameCount?.value)
      try check(bytes.count)
    }

    private func check(_ count: Int) throws {
      try FuzzFault.unless(
        (0...Int64(count)).contains(strayByteCount), "\(strayByteCount) stray of \(count) bytes")
      try FuzzFault.unless((frameCount ?? 0) >= 0, "\(frameCount ?? 0) frames")
      for packet in packets {
        try FuzzFault.unless(
          packet.offset >= 0 && packet.offset < Int64(count) && packet.byteCount <= count,
          "a packet at \(packet.offset) with \(packet.byteCount) bytes")
        try FuzzFault.unless(
          packet.frameCount >= 0 && packet.firstFrame >= 0
            && packet.omittedFrames.allSatisfy {
              $0.lowerBound >= 0 && $0.upperBound <= packet.frameCount
            }, "\(packet.frameCount) frames without \(packet.omittedFrames)")
      }
      try FuzzFault.unless(
        zip(packets, packets.dropFirst()).allSatisfy { $0.offset <= $1.offset }, "out of order")
    }
  }
}
