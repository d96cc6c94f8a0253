// SPDX-License-Identifier: Apache-2.0

/// The layout in memory of PCM, μ-law or A-law samples.
///
/// The samples of a frame are adjacent, in the order of the channels.
public struct PCMLayout: Hashable, Sendable {
  /// The ways in which a sample is encoded as a number.
  public enum Numbers: Hashable, Sendable {
    /// Samples are signed integers in two's complement.
    case signed
    /// Samples are unsigned integers; silence is the middle of the range.
    case unsigned
    /// Samples are floating-point numbers, with full scale at ±1.
    case floating
    /// ITU-T G.711 μ-law.
    case muLaw
    /// ITU-T G.711 A-law.
    case aLaw
  }

  /// The encoding of the samples.
  public let numbers: Numbers
  /// The number of significant bits, 1…64, which are the highest bits of a sample.
  public let bits: Int
  /// The number of bytes of one sample, 1…8.
  public let byteCount: Int
  /// True if samples are little-endian.
  public let isLittleEndian: Bool
  /// The loudspeakers of the channels, as a bit mask like that of a WAVE file; 0 if they are not
  /// stated.
  public let channelMask: UInt64

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - numbers: The encoding of the samples.
  ///   - bits: The number of significant bits, 1…64.
  ///   - byteCount: The number of bytes of one sample, 1…8.
  ///   - isLittleEndian: True if samples are little-endian.
  ///   - channelMask: The loudspeakers of the channels, as a bit mask like that of a WAVE file; 0
  ///     if they are not stated.
  public init(
    numbers: Numbers, bits: Int, byteCount: Int, isLittleEndian: Bool, channelMask: UInt64 = 0
  ) {
    (self.numbers, self.bits) = (numbers, bits)
    (self.byteCount, self.isLittleEndian) = (byteCount, isLittleEndian)
    self.channelMask = channelMask
  }
}
