// SPDX-License-Identifier: Apache-2.0

/// The mean bitrate of the packets so far, and how far it may be from that of all.
public struct BitrateEstimate: Hashable, Sendable {
  /// The packets that it is the mean of.
  public private(set) var packetCount = 0
  private var mean = 0.0
  private var squares = 0.0
  private var firstByteCount = 0.0
  private var frameCount: Int64 = 0
  /// The number of packets per second, times the bits of a byte.
  private var scale = 0.0

  /// Bits a second.
  public var bitsPerSecond: Double { mean * scale }

  /// Twice the standard error of the mean, in bits a second; 0 where all packets are alike,
  /// infinite after one packet.
  public var error: Double {
    guard packetCount > 1 else { return .infinity }
    let variance = squares / Double(packetCount - 1)
    return 2 * (variance / Double(packetCount)).squareRoot() * scale
  }

  /// Takes a packet, by Welford's way to a running variance.
  mutating func add(byteCount: Int, frameCount: Int, hertz: Int) {
    packetCount += 1
    let bytes = Double(byteCount)
    if packetCount == 1 { firstByteCount = bytes }
    let difference = bytes - mean
    mean += difference / Double(packetCount)
    squares += difference * (bytes - mean)
    self.frameCount &+= Int64(frameCount)
    scale = 8 * Double(hertz) * Double(packetCount) / Double(max(1, self.frameCount))
  }

  /// The mean size of a packet in bytes, without the first where there are others.
  ///
  /// An encoder fills its first packet up before it knows the sound: LAME's is three times as long as
  /// the others, which after 30 of them would be wrong by a tenth.
  var packetByteCount: Double {
    guard packetCount > 1 else { return mean }
    return (mean * Double(packetCount) - firstByteCount) / Double(packetCount - 1)
  }
}
