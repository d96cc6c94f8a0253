// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The sample rate and channels in which a client reads a sound file, independent of the file's
/// own.
public struct ClientFormat: Hashable, Sendable {
  /// Frames per second; nil for the file's own rate.
  public var rate: SampleRate?
  /// Samples in a frame, 1…1024; nil for the file's own number.
  public var channelCount: Int?
  /// The quality of the rate conversion.
  public var quality: SampleRateConverter.Quality

  /// Creates a form.
  ///
  /// Without arguments it is the file's own.
  public init(
    rate: SampleRate? = nil, channelCount: Int? = nil,
    quality: SampleRateConverter.Quality = .veryHigh
  ) {
    self.rate = rate
    self.channelCount = channelCount
    self.quality = quality
  }
}
