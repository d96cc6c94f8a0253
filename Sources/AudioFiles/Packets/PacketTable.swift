// SPDX-License-Identifier: Apache-2.0

/// The positions of the packets of a file, and the frames that they decode to.
public struct PacketTable: Hashable, Sendable {
  /// The position, size and frames of one packet.
  public struct Packet: Hashable, Sendable {
    /// The position of the packet in the file, in bytes.
    public let offset: Int64
    /// The index of the packet's first frame; the first decoded frame of the file is 0.
    public let firstFrame: Int64
    // A file can have millions of packets, so an entry has 24 bytes.
    private let storedByteCount: UInt32
    private let storedFrameCount: UInt32

    /// The size of the packet in bytes, at most 2³² − 1.
    public var byteCount: Int { Int(storedByteCount) }
    /// The number of frames that the packet decodes to, at most 2³² − 1.
    public var frameCount: Int { Int(storedFrameCount) }

    /// Creates a packet; the size and the number of frames are clamped to 32 bits.
    init(offset: Int64, byteCount: Int, firstFrame: Int64, frameCount: Int) {
      (self.offset, self.firstFrame) = (offset, firstFrame)
      storedByteCount = UInt32(clamping: byteCount)
      storedFrameCount = UInt32(clamping: frameCount)
    }
  }

  /// The packets, in the order in which they are decoded.
  public internal(set) var packets: [Packet] = []
  /// The sample rate in hertz, to which all frame counts in the table refer.
  ///
  /// For HE-AAC it can be the rate of the core.
  public let hertz: Int
  /// The number of frames that the decoder outputs before the start of the sound; 0 or more.
  public internal(set) var primingFrameCount = 0
  /// The number of padding frames that the decoder outputs after the end of the sound; 0 or more.
  public internal(set) var remainderFrameCount = 0
  /// Ranges of decoded frames that interrupt the sound and must be left out, as in joined files.
  ///
  /// The ranges are in ascending order and not adjacent.
  public internal(set) var gaps: [Range<Int64>] = []

  init(hertz: Int) {
    self.hertz = hertz
  }

  /// The number of frames that the packets decode to, including priming, remainder and gaps.
  public var decodedFrameCount: Int64 {
    packets.last.map { $0.firstFrame + Int64($0.frameCount) } ?? 0
  }

  /// The number of frames of sound, without priming, remainder and gaps.
  public var frameCount: Int64 {
    let gaps = gaps.reduce(Int64(0)) { $0 + Int64($1.count) }
    return max(
      0, decodedFrameCount - Int64(primingFrameCount) - Int64(remainderFrameCount) - gaps)
  }

  /// The number of bytes of all packets together.
  ///
  /// - Complexity: O(n) in the number of packets.
  public var byteCount: Int64 { packets.reduce(0) { $0 + Int64($1.byteCount) } }

  /// The mean bitrate in bits per second; 0 if the packets do not contain frames.
  ///
  /// - Complexity: O(n) in the number of packets.
  public var bitsPerSecond: Double {
    let frames = decodedFrameCount
    return frames > 0 ? Double(byteCount) * 8 * Double(hertz) / Double(frames) : 0
  }

  /// Returns the index of the packet that contains a frame of the sound; nil if the frame is out of
  /// range.
  ///
  /// - Complexity: O(log n) in the number of packets.
  public func packet(ofFrame frame: Int64) -> Int? {
    guard frame >= 0, frame < frameCount else { return nil }
    return packet(ofDecoded: decoded(frame))
  }

  /// The numbers of frames at the start and end of a packet that are not sound.
  ///
  /// If none of its frames are sound, all are at the start. A gap between two parts of sound in one
  /// packet is not removed.
  func trims(ofPacket number: Int) -> (start: Int, end: Int) {
    let packet = packets[number]
    let all = packet.firstFrame..<packet.firstFrame + Int64(packet.frameCount)
    let heard = pieces.map { $0.clamped(to: all) }.filter { !$0.isEmpty }
    guard let first = heard.first, let last = heard.last else { return (packet.frameCount, 0) }
    return (Int(first.lowerBound - all.lowerBound), Int(all.upperBound - last.upperBound))
  }

  /// Converts a frame of the sound to a decoded frame.
  func decoded(_ frame: Int64) -> Int64 {
    gaps.reduce(frame + Int64(primingFrameCount)) { place, gap in
      place < gap.lowerBound ? place : place + Int64(gap.count)
    }
  }

  /// The number of frames of sound before a decoded frame.
  func soundFrames(beforeDecoded frame: Int64) -> Int64 {
    gaps.reduce(frame - Int64(primingFrameCount)) { count, gap in
      count - max(0, min(frame, gap.upperBound) - gap.lowerBound)
    }
  }

  /// The end of the sound, as a decoded frame.
  var soundEnd: Int64 { decodedFrameCount - Int64(remainderFrameCount) }

  /// The index of the packet that contains a decoded frame.
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

  /// Sets the ranges of decoded frames that are sound; all others are not.
  ///
  /// - Parameter pieces: The ranges, one or more, in order and not adjacent; clamped to the decoded
  ///   frames.
  mutating func apply(pieces: [Range<Int64>]) {
    let all = 0..<decodedFrameCount
    let pieces = pieces.map { $0.clamped(to: all) }.filter { !$0.isEmpty }
    guard let first = pieces.first, let last = pieces.last else { return }
    primingFrameCount = Int(first.lowerBound)
    remainderFrameCount = Int(all.upperBound - last.upperBound)
    gaps = zip(pieces, pieces.dropFirst()).map { $0.upperBound..<$1.lowerBound }
      .filter { !$0.isEmpty }
  }

  /// The ranges of decoded frames that are sound, in order.
  var pieces: [Range<Int64>] {
    let starts = [Int64(primingFrameCount)] + gaps.map(\.upperBound)
    return zip(starts, gaps.map(\.lowerBound) + [soundEnd]).compactMap { $0 < $1 ? $0..<$1 : nil }
  }
}
