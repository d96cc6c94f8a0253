// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension CMTime {
  /// A time that is not valid; all fields are 0.
  public static let invalid = CMTime()
  /// A time that is not known, such as the length of a broadcast.
  public static let indefinite = CMTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// A time after all others.
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// A time before all others.
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
  /// Zero seconds.
  public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

  /// Creates a time of `value` / `timescale` seconds.
  ///
  /// - Parameters:
  ///   - value: The number of units.
  ///   - timescale: Units per second. If it is not positive, the time is not valid.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self = CMTimeMake(value: value, timescale: timescale)
  }

  /// Creates a time from seconds, as `CMTimeMakeWithSeconds` does.
  ///
  /// - Parameters:
  ///   - seconds: The seconds.
  ///   - preferredTimescale: Units per second. If it is not positive, the time is not valid.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
  }

  /// True if the time is valid; infinite and indefinite times are.
  public var isValid: Bool { flags.contains(.valid) }

  /// True if the time is after all others.
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }

  /// True if the time is before all others.
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }

  /// True if the time is not known.
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

  /// Returns the time in other units.
  ///
  /// - Parameters:
  ///   - newTimescale: Units per second. If it is not positive, the result is not valid.
  ///   - method: The direction of rounding.
  /// - Returns: The time, as `CMTimeConvertScale` returns it.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    CMTimeConvertScale(self, timescale: newTimescale, method: method)
  }

  /// True if the time is a number, with units that it can be computed with.
  var isCountable: Bool { isNumeric && timescale > 0 }

  /// True if the time is infinite, in either direction.
  var isInfinite: Bool { isPositiveInfinity || isNegativeInfinity }

  /// An infinite time.
  static func infinity(isNegative: Bool) -> CMTime {
    isNegative ? .negativeInfinity : .positiveInfinity
  }
}

/// The largest timescale.
public let kCMTimeMaxTimescale = Int(Int32.max)
/// A time that is not valid.
public let kCMTimeInvalid = CMTime.invalid
/// A time that is not known.
public let kCMTimeIndefinite = CMTime.indefinite
/// A time after all others.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// A time before all others.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// Zero seconds.
public let kCMTimeZero = CMTime.zero
