// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The sample rate and channels in which your program reads a sound file.
///
/// If they differ from those of the file, the sound is converted.
public struct ClientFormat: Hashable, Sendable {
  /// The sample rate in which samples are read; nil for the file's rate.
  public var rate: SampleRate?
  /// The number of channels that are read, 1…1024; nil for the file's number.
  public var channelCount: Int?
  /// The quality of the rate conversion.
  public var quality: SampleRateConverter.Quality

  /// Creates a client format; by default, samples are read with the rate and channels of the file.
  public init(
    rate: SampleRate? = nil, channelCount: Int? = nil,
    quality: SampleRateConverter.Quality = .veryHigh
  ) {
    self.rate = rate
    self.channelCount = channelCount
    self.quality = quality
  }
}
