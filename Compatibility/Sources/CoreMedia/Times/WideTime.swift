// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// A result that may be too large for a `CMTime`: `value` / `scale` seconds.
struct WideTime {
  /// The number of units, below 2⁹⁶ in magnitude.
  var value: Int128
  /// Units per second, positive and at most 2⁶².
  var scale: Int128
  /// True if a time from which it was computed was rounded.
  var isRounded: Bool
  /// The timeline.
  var epoch: CMTimeEpoch

  /// The nearest `CMTime`; halves are rounded away from zero.
  ///
  /// A timescale above `Int32.max` becomes `Int32.max`. If the value is too large, the timescale is
  /// halved until it fits; if it is too large even with timescale 1, the time is infinite.
  var time: CMTime {
    var newScale = min(scale, Int128(Int32.max))
    while true {
      let (rounded, isExact) = (value * newScale).divided(by: scale, .roundHalfAwayFromZero)
      if let fitting = Int64(exactly: rounded) {
        var flags = CMTimeFlags.valid
        if isRounded || !isExact { flags.insert(.hasBeenRounded) }
        return CMTime(value: fitting, timescale: Int32(newScale), flags: flags, epoch: epoch)
      }
      guard newScale > 1 else { return .infinity(isNegative: value < 0) }
      newScale /= 2
    }
  }
}

extension Int128 {
  /// Divides by a positive number.
  ///
  /// - Returns: The rounded quotient, and true if it is exact.
  func divided(
    by divisor: Int128, _ method: CMTimeRoundingMethod
  ) -> (quotient: Int128, isExact: Bool) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    guard remainder != 0 else { return (quotient, true) }
    let away = quotient + (self < 0 ? -1 : 1)
    switch method {
    case .roundTowardZero: return (quotient, false)
    case .roundAwayFromZero: return (away, false)
    case .roundTowardPositiveInfinity: return (self < 0 ? quotient : away, false)
    case .roundTowardNegativeInfinity: return (self < 0 ? away : quotient, false)
    default:
      // This comparison does not overflow, because nothing is doubled.
      let isHalf = remainder.magnitude >= divisor.magnitude - remainder.magnitude
      return (isHalf ? away : quotient, false)
    }
  }

  /// The greatest common divisor of two numbers, at least one of which is not 0.
  static func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (left, right) = (first.magnitude, second.magnitude)
    while right != 0 { (left, right) = (right, left % right) }
    return Int128(left)
  }
}
