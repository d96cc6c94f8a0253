// SPDX-License-Identifier: Apache-2.0

/// The layout of uncompressed or logarithmic samples in a packet.
///
/// The samples of a frame are adjacent, in the order of the channels.
public struct PCMLayout: Hashable, Sendable {
  /// The kinds of numbers.
  public enum Numbers: Hashable, Sendable {
    /// Integers in two's complement.
    case signed
    /// Integers with the middle as silence.
    case unsigned
    /// Floating point, full scale at ±1.
    case floating
    /// ITU-T G.711 μ-law.
    case muLaw
    /// ITU-T G.711 A-law.
    case aLaw
  }

  /// The kind of numbers.
  public let numbers: Numbers
  /// The number of significant bits, in the highest bits of a sample; 1…64.
  public let bits: Int
  /// The number of bytes of one sample: 1…8.
  public let byteCount: Int
  /// True if the lowest byte is first.
  public let isLittleEndian: Bool
  /// The loudspeakers of the channels, as bits of a WAVE file's mask; 0 if they are not named.
  public let channelMask: UInt64

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - numbers: the kind of numbers.
  ///   - bits: the number of significant bits: 1…64.
  ///   - byteCount: the number of bytes of one sample: 1…8.
  ///   - isLittleEndian: true if the lowest byte is first.
  ///   - channelMask: the loudspeakers, as bits of a WAVE file's mask; 0 if they are not named.
  public init(
    numbers: Numbers, bits: Int, byteCount: Int, isLittleEndian: Bool, channelMask: UInt64 = 0
  ) {
    (self.numbers, self.bits) = (numbers, bits)
    (self.byteCount, self.isLittleEndian) = (byteCount, isLittleEndian)
    self.channelMask = channelMask
  }
}
