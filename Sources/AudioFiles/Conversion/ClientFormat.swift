// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The form in which a client wants a file's sound, whatever the file holds.
public struct ClientFormat: Hashable, Sendable {
  /// Frames a second; nil for the file's own.
  public var rate: SampleRate?
  /// The samples in a frame, 1…1024; nil for the file's own.
  public var channelCount: Int?
  /// The quality of a change of rate.
  public var quality: SampleRateConverter.Quality

  /// Creates a form; without arguments it is the file's own.
  public init(
    rate: SampleRate? = nil, channelCount: Int? = nil,
    quality: SampleRateConverter.Quality = .veryHigh
  ) {
    self.rate = rate
    self.channelCount = channelCount
    self.quality = quality
  }
}
