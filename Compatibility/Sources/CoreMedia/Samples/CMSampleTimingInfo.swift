// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// The times of a sample.
public struct CMSampleTimingInfo: Hashable, Sendable {
  /// The length.
  public var duration: CMTime
  /// The time at which the sample is presented.
  public var presentationTimeStamp: CMTime
  /// The time at which the sample is decoded; `.invalid` if it is the same.
  public var decodeTimeStamp: CMTime

  /// Times that are not valid.
  public static let invalid = CMSampleTimingInfo()

  /// Creates times that are not valid.
  public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid) }

  /// Creates times.
  ///
  /// - Parameters:
  ///   - duration: The length.
  ///   - presentationTimeStamp: The time at which the sample is presented.
  ///   - decodeTimeStamp: The time at which it is decoded; `.invalid` if it is the same.
  public init(
    duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime = .invalid
  ) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }
}

/// Times that are not valid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
