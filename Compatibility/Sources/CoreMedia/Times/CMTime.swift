// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension CMTime {
  /// An invalid time; all fields are 0.
  public static let invalid = CMTime()
  /// An unknown time, such as the duration of a live broadcast.
  public static let indefinite = CMTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time that is later than all numeric times.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time that is earlier than all numeric times.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

  /// Creates a time of `value` / `timescale` seconds.
  ///
  /// - Parameters:
  ///   - value: The number of units.
  ///   - timescale: Units per second. If it is not positive, the time is invalid.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self = CMTimeMake(value: value, timescale: timescale)
  }

  /// Creates a time from seconds, as `CMTimeMakeWithSeconds` does.
  ///
  /// - Parameters:
  ///   - seconds: The seconds.
  ///   - preferredTimescale: Units per second. If it is not positive, the time is invalid.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// True if the time is valid, which includes infinite and indefinite times.
  public var isValid: Bool { flags.contains(.valid) }

  /// True if the time is positive infinity.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }

  /// True if the time is negative infinity.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }

  /// True if the time is indefinite, that is, unknown.
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }

  /// True if the time is a number of seconds.
  public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }

  /// True if the time, or a time from which it was computed, was rounded.
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The time in seconds, as `CMTimeGetSeconds` returns it.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }

  /// Converts the time to another timescale.
  ///
  /// - Parameters:
  ///   - newTimescale: Units per second. If it is not positive, the result is invalid.
  ///   - method: The method of rounding.
  /// - Returns: The time, as `CMTimeConvertScale` returns it.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }

  /// True if the time is a number and its timescale is positive, so that it can be used in
  /// computations.
  var isCountable: Bool { isNumeric && timescale > 0 }

  /// True if the time is positive or negative infinity.
  var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }

  /// An infinite time.
  static func infinity(isNegative: Bool) -> CMTime {
    isNegative ? .negativeInfinity : .positiveInfinity
  }
}

/// The largest timescale.
public let kCMTimeMaxTimescale = Int(Int32.max)
/// An invalid time.
public let kCMTimeInvalid = CMTime.invalid
/// An unknown time.
public let kCMTimeIndefinite = CMTime.indefinite
/// A time that is later than all numeric times.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// A time that is earlier than all numeric times.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// Zero seconds.
public let kCMTimeZero = CMTime.zero
