// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// The duration, presentation time and decode time of a sample.
public struct CMSampleTimingInfo: Hashable, Sendable {
  /// The duration of the sample.
  public var duration: CMTime
  /// The presentation time of the sample.
  public var presentationTimeStamp: CMTime
  /// The decode time of the sample; `.invalid` if it equals the presentation time.
  public var decodeTimeStamp: CMTime

  /// A timing entry with invalid times.
  public static let invalid = CMSampleTimingInfo()

  /// Creates a timing entry with invalid times.
  public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid) }

  /// Creates a timing entry.
  ///
  /// - Parameters:
  ///   - duration: The duration of the sample.
  ///   - presentationTimeStamp: The presentation time of the sample.
  ///   - decodeTimeStamp: The decode time of the sample; `.invalid` if it equals the presentation
  ///     time.
  public init(
    duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime = .invalid
  ) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }
}

/// A timing entry with invalid times.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
