// SPDX-License-Identifier: Apache-2.0

/// Where the packets of a file lie and which frames they give, without a look into them.
public struct PacketTable: Hashable, Sendable {
  /// A packet.
  public struct Packet: Hashable, Sendable {
    /// Where it begins in the file, in bytes.
    public let offset: Int64
    /// Its bytes.
    public let byteCount: Int
    /// The first of its frames, counted from the first that is decoded.
    public let firstFrame: Int64
    /// The frames that it gives.
    public let frameCount: Int
  }

  /// The packets in the order of their frames.
  public internal(set) var packets: [Packet] = []
  /// Frames a second of what is counted here; of HE-AAC that may be the core's.
  public let hertz: Int
  /// Decoded frames before the first that is sound; 0 or more.
  public internal(set) var primingFrameCount = 0
  /// Decoded frames behind the last that is sound; 0 or more.
  public internal(set) var remainderFrameCount = 0

  init(hertz: Int) {
    self.hertz = hertz
  }

  /// Frames that the packets give, with those that are not sound.
  public var decodedFrameCount: Int64 {
    packets.last.map { $0.firstFrame + Int64($0.frameCount) } ?? 0
  }

  /// Frames of sound.
  public var frameCount: Int64 {
    max(0, decodedFrameCount - Int64(primingFrameCount) - Int64(remainderFrameCount))
  }

  /// Bytes of all packets.
  ///
  /// - Complexity: O(n) in the number of packets.
  public var byteCount: Int64 { packets.reduce(0) { $0 + Int64($1.byteCount) } }

  /// The number of the packet that gives a frame of sound; nil where none does.
  ///
  /// - Complexity: O(log n) in the number of packets.
  public func packet(ofFrame frame: Int64) -> Int? {
    guard frame >= 0, frame < frameCount else { return nil }
    return packet(ofDecoded: frame + Int64(primingFrameCount))
  }

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
}
