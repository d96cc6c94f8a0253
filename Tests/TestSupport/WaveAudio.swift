// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The samples of a WAV file of 16-bit PCM or 32-bit floats, read independently of the code under
/// test.
public struct WaveAudio: Sendable {
  /// Frames per second.
  public let rate: Int
  /// The samples of each channel, full scale at ±1.
  public let channels: [[Float]]

  /// Reads a RIFF WAVE file of 16-bit PCM or 32-bit floats; nil for another file.
  public init?(_ data: Data) {
    let bytes = [UInt8](data)
    guard bytes.count > 44, bytes[0..<4].elementsEqual("RIFF".utf8),
      let format = Self.chunk("fmt ", in: bytes), let samples = Self.chunk("data", in: bytes)
    else { return nil }
    let count = Int(bytes[format.lowerBound + 2])
    let size = Int(bytes[format.lowerBound + 14]) / 8
    guard count > 0, [2, 4].contains(size) else { return nil }
    rate = (0..<4).reduce(0) { $0 | Int(bytes[format.lowerBound + 4 + $1]) << (8 * $1) }
    channels = (0..<count).map { channel in
      stride(
        from: samples.lowerBound + size * channel, to: samples.upperBound - size + 1,
        by: size * count
      ).map { place in
        let word = (0..<size).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
        return size == 4
          ? Float(bitPattern: word) : Float(Int16(truncatingIfNeeded: word)) / 32768
      }
    }
  }

  /// The maximum absolute value of any sample.
  public var peak: Float {
    channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } }
  }

  /// The root mean square of all channels, in decibels relative to full scale.
  public var level: Double {
    let sum = channels.reduce(0.0) { $1.reduce($0) { $0 + Double($1) * Double($1) } }
    let count = channels.reduce(0) { $0 + $1.count }
    return count == 0 ? -.infinity : 10 * log10(sum / Double(count))
  }

  /// Returns the frames at which sound starts after silence.
  ///
  /// - Parameters:
  ///   - threshold: The level of sound, as a part of the peak.
  ///   - silence: The minimum duration of the silence before, in seconds.
  /// - Returns: The frames, in order.
  public func onsets(threshold: Float = 0.1, silence: Double = 0.1) -> [Int] {
    let level = threshold * peak
    guard let samples = channels.first, level > 0 else { return [] }
    let gap = Int(silence * Double(rate))
    var last = -gap
    var found: [Int] = []
    for (index, sample) in samples.enumerated() where abs(sample) > level {
      if index - last >= gap { found.append(index) }
      last = index
    }
    return found
  }

  private static func chunk(_ name: String, in bytes: [UInt8]) -> Range<Int>? {
    var start = 12
    while start + 8 <= bytes.count {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
      let body = start + 8..<min(start + 8 + size, bytes.count)
      if bytes[start..<start + 4].elementsEqual(name.utf8) { return body }
      start = start + 8 + size + size % 2
    }
    return nil
  }
}
