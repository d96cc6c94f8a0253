// SPDX-License-Identifier: Apache-2.0

/// An estimate of a stream's mean bitrate, with its error, from the packets that were received.
public struct BitrateEstimate: Hashable, Sendable {
  /// The number of packets that the estimate uses.
  public private(set) var packetCount = 0
  private var mean = 0.0
  private var squares = 0.0
  private var firstByteCount = 0.0
  private var frameCount: Int64 = 0
  /// The number of packets per second, times the bits of a byte.
  private var scale = 0.0

  /// The estimated mean bitrate, in bits per second.
  public var bitsPerSecond: Double { mean * scale }

  /// The uncertainty of the estimate in bits per second: twice the standard error of the mean.
  ///
  /// The value is 0 if all packets have the same size, and infinite before the second packet.
  public var error: Double {
    guard packetCount > 1 else { return .infinity }
    let variance = squares / Double(packetCount - 1)
    return 2 * (variance / Double(packetCount)).squareRoot() * scale
  }

  /// Adds a packet, and updates the variance by Welford's algorithm.
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

  /// The mean size of a packet in bytes, without the first packet if there are others.
  ///
  /// Encoders pad the first packet before they have analysed the sound. LAME's first packet has
  /// three times the size of the others, which would change the mean of 30 packets by a tenth.
  var packetByteCount: Double {
    guard packetCount > 1 else { return mean }
    return (mean * Double(packetCount) - firstByteCount) / Double(packetCount - 1)
  }
}
