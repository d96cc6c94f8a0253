// SPDX-License-Identifier: Apache-2.0

/// Where the packets of a file lie and which frames they give, without a look into them.
public struct PacketTable: Hashable, Sendable {
  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// Where it begins in the file, in bytes.
    public let offset: Int64
    /// The first of its frames, counted from the first that is decoded.
    public let firstFrame: Int64
    // A file may have millions of packets: 24 bytes each.
    private let storedByteCount: UInt32
    private let storedFrameCount: UInt32

    /// Size in bytes.
    public var byteCount: Int { Int(storedByteCount) }
    /// The frames that it gives.
    public var frameCount: Int { Int(storedFrameCount) }

    /// Creates a packet of fewer than 4 GiB and 2³² frames.
    init(offset: Int64, byteCount: Int, firstFrame: Int64, frameCount: Int) {
      (self.offset, self.firstFrame) = (offset, firstFrame)
      storedByteCount = UInt32(clamping: byteCount)
      storedFrameCount = UInt32(clamping: frameCount)
    }
  }

  /// The packets in the order of their frames.
  public internal(set) var packets: [Packet] = []
  /// Frames a second of what is counted here; of HE-AAC that may be the core's.
  public let hertz: Int
  /// Decoded frames before the first that is sound; 0 or more.
  public internal(set) var primingFrameCount = 0
  /// Decoded frames behind the last that is sound; 0 or more.
  public internal(set) var remainderFrameCount = 0
  /// Decoded frames amid the sound that are none, as where files were joined; in order, apart from
  /// one another, and behind the first frame of sound and before the last.
  public internal(set) var gaps: [Range<Int64>] = []

  init(hertz: Int) {
    self.hertz = hertz
  }

  /// Frames that the packets give, with those that are not sound.
  public var decodedFrameCount: Int64 {
    packets.last.map { $0.firstFrame + Int64($0.frameCount) } ?? 0
  }

  /// Frames of sound.
  public var frameCount: Int64 {
    let gaps = gaps.reduce(Int64(0)) { $0 + Int64($1.count) }
    return max(
      0, decodedFrameCount - Int64(primingFrameCount) - Int64(remainderFrameCount) - gaps)
  }

  /// Bytes of all packets.
  ///
  /// - Complexity: O(n) in the number of packets.
  public var byteCount: Int64 { packets.reduce(0) { $0 + Int64($1.byteCount) } }

  /// Bits a second of the packets, the mean; 0 where they give no frame.
  ///
  /// - Complexity: O(n) in the number of packets.
  public var bitsPerSecond: Double {
    let frames = decodedFrameCount
    return frames > 0 ? Double(byteCount) * 8 * Double(hertz) / Double(frames) : 0
  }

  /// The number of the packet that gives a frame of sound; nil where none does.
  ///
  /// - Complexity: O(log n) in the number of packets.
  public func packet(ofFrame frame: Int64) -> Int? {
    guard frame >= 0, frame < frameCount else { return nil }
    return packet(ofDecoded: decoded(frame))
  }

  /// The frames of a packet that are not sound, at its beginning and at its end.
  ///
  /// All of them are at its beginning where none is sound. What lies between two parts of sound in one packet is left in.
  func trims(ofPacket number: Int) -> (start: Int, end: Int) {
    let packet = packets[number]
    let all = packet.firstFrame..<packet.firstFrame + Int64(packet.frameCount)
    let heard = pieces.map { $0.clamped(to: all) }.filter { !$0.isEmpty }
    guard let first = heard.first, let last = heard.last else { return (packet.frameCount, 0) }
    return (Int(first.lowerBound - all.lowerBound), Int(all.upperBound - last.upperBound))
  }

  /// The number of a frame of sound, counted from the first that is decoded.
  func decoded(_ frame: Int64) -> Int64 {
    gaps.reduce(frame + Int64(primingFrameCount)) { place, gap in
      place < gap.lowerBound ? place : place + Int64(gap.count)
    }
  }

  /// The frames of sound before a frame, counted from the first that is decoded.
  func soundFrames(beforeDecoded frame: Int64) -> Int64 {
    gaps.reduce(frame - Int64(primingFrameCount)) { count, gap in
      count - max(0, min(frame, gap.upperBound) - gap.lowerBound)
    }
  }

  /// The end of the sound, counted from the first frame that is decoded.
  var soundEnd: Int64 { decodedFrameCount - Int64(remainderFrameCount) }

  /// The number of the packet that gives a frame, counted from the first that is decoded.
  func packet(ofDecoded frame: Int64) -> Int? {
    var (low, high) = (0, packets.count)
    while low < high {
      let middle = (low + high) / 2
      if packets[middle].firstFrame <= frame { low = middle + 1 } else { high = middle }
    }
    guard low > 0, frame < packets[low - 1].firstFrame + Int64(packets[low - 1].frameCount) else {
      return nil
    }
    return low - 1
  }

  mutating func append(offset: Int64, byteCount: Int, frameCount: Int) {
    packets.append(
      Packet(
        offset: offset, byteCount: byteCount, firstFrame: decodedFrameCount, frameCount: frameCount)
    )
  }

  mutating func apply(_ gapless: GaplessLength) {
    primingFrameCount = min(gapless.priming, Int(clamping: decodedFrameCount))
    remainderFrameCount = gapless.remainder(of: Int(clamping: decodedFrameCount))
  }

  /// Takes decoded frames for the sound, and all others for none.
  ///
  /// - Parameter pieces: one or more, in order and apart from one another; what lies behind the end
  ///   is left out.
  mutating func apply(pieces: [Range<Int64>]) {
    let all = 0..<decodedFrameCount
    let pieces = pieces.map { $0.clamped(to: all) }.filter { !$0.isEmpty }
    guard let first = pieces.first, let last = pieces.last else { return }
    primingFrameCount = Int(first.lowerBound)
    remainderFrameCount = Int(all.upperBound - last.upperBound)
    gaps = zip(pieces, pieces.dropFirst()).map { $0.upperBound..<$1.lowerBound }
      .filter { !$0.isEmpty }
  }

  /// The decoded frames that are sound, in order.
  var pieces: [Range<Int64>] {
    let starts = [Int64(primingFrameCount)] + gaps.map(\.upperBound)
    return zip(starts, gaps.map(\.lowerBound) + [soundEnd]).compactMap { $0 < $1 ? $0..<$1 : nil }
  }
}
