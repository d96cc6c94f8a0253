// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Multiplies a time by an integer.
///
/// - Parameters:
///   - time: The time.
///   - multiplier: The factor.
/// - Returns: The product with the same timescale, which is halved until the value fits; infinite
///   if it is too large even with timescale 1. If the factor is negative, an infinite time changes
///   its sign.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.isNumeric else { return time.isInfinite ? time.signed(by: multiplier < 0) : time }
  guard time.timescale > 0 else { return .invalid }
  return time.wide(Int128(time.value) * Int128(multiplier), Int128(time.timescale)).time
}

/// Multiplies a time by a floating-point number.
///
/// A timescale below 65,536 is doubled until it is at least 65,536.
///
/// - Parameters:
///   - time: The time.
///   - multiplier: The factor.
/// - Returns: The product, rounded to nearest with halves away from zero; infinite if it is too
///   large; `.invalid` if the factor is not a number, or if one operand is 0 and the other
///   infinite.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.isValid, !time.isIndefinite else { return time }
  guard !multiplier.isNaN else { return .invalid }
  guard time.isNumeric else {
    return multiplier == 0 ? .invalid : time.signed(by: multiplier < 0)
  }
  guard time.timescale > 0, multiplier.isFinite || time.value != 0 else { return .invalid }
  guard multiplier.isFinite else {
    return .infinity(isNegative: (time.value < 0) != (multiplier < 0))
  }
  return time.scaled(by: multiplier)
}

/// Multiplies a time by a fraction.
///
/// - Parameters:
///   - time: The time.
///   - multiplier: The numerator.
///   - divisor: The denominator.
/// - Returns: The product. If necessary for an exact result, the timescale increases up to
///   `Int32.max`; beyond that the product is rounded. With a denominator of 0 the product is
///   infinite, or `.invalid` if the time or the numerator is also 0. An infinite time times 0 is
///   `.invalid`.
public func CMTimeMultiplyByRatio(
  _ time: CMTime, multiplier: Int32, divisor: Int32
) -> CMTime {
  guard time.isValid, !time.isIndefinite else { return time }
  let changesSign = (multiplier < 0) != (divisor < 0)
  guard time.isNumeric else { return multiplier == 0 ? .invalid : time.signed(by: changesSign) }
  guard time.timescale > 0 else { return .invalid }
  guard divisor != 0 else {
    guard time.value != 0, multiplier != 0 else { return .invalid }
    return .infinity(isNegative: (time.value < 0) != (multiplier < 0))
  }
  let sign: Int128 = divisor < 0 ? -1 : 1
  let numerator = sign * Int128(time.value) * Int128(multiplier)
  let denominator = Int128(divisor).magnitude
  let common = Int128.greatestCommonDivisor(numerator, Int128(denominator))
  let (value, factor) = (numerator / common, Int128(denominator) / common)
  let wide = time.wide(value, Int128(time.timescale) * factor)
  return wide.scale > Int128(Int32.max) ? wide.reduced.time : wide.time
}

extension CMTime {
  /// The same infinite time, or the opposite one.
  fileprivate func signed(by changes: Bool) -> CMTime {
    .infinity(isNegative: isNegativeInfinity != changes)
  }

  /// A result that is computed only from this time.
  fileprivate func wide(_ value: Int128, _ scale: Int128) -> WideTime {
    WideTime(value: value, scale: scale, isRounded: hasBeenRounded, epoch: epoch)
  }

  /// The product with a finite number, computed exactly and then rounded.
  fileprivate func scaled(by multiplier: Double) -> CMTime {
    var (scale, shift) = (timescale, 0)
    while scale < 65_536 {
      scale *= 2
      shift += 1
    }
    guard multiplier != 0, value != 0 else { return wide(0, Int128(scale)).time }
    // The factor is an integer of 53 bits, multiplied by a power of 2.
    let significand = Int64(multiplier.significand * 0x1p52)
    let product = Int128(value) * Int128(multiplier < 0 ? -significand : significand)
    let exponent = Int(multiplier.exponent) - 52 + shift
    if exponent >= 0 {
      guard exponent < 63, product.magnitude < UInt128(1) << UInt128(95 - exponent) else {
        return scaledLoosely(by: multiplier, scale)
      }
      return wide(product << Int128(exponent), Int128(scale)).time
    }
    guard exponent > -126 else { return wide(0, Int128(scale)).rounded.time }
    let (units, isExact) = product.divided(by: 1 << Int128(-exponent), .roundHalfAwayFromZero)
    guard units.magnitude < UInt128(1) << 95 else { return scaledLoosely(by: multiplier, scale) }
    let result = wide(units, Int128(scale))
    return isExact ? result.time : result.rounded.time
  }

  /// The product, if it is far above the largest value at this timescale.
  private func scaledLoosely(by multiplier: Double, _ scale: CMTimeScale) -> CMTime {
    var time = CMTimeMakeWithSeconds(seconds * multiplier, preferredTimescale: scale)
    if time.isNumeric {
      time.flags.insert(.hasBeenRounded)
      time.epoch = epoch
    }
    return time
  }
}

extension WideTime {
  /// The same value, marked as rounded.
  fileprivate var rounded: WideTime {
    WideTime(value: value, scale: scale, isRounded: true, epoch: epoch)
  }

  /// The same value with the smallest scale.
  fileprivate var reduced: WideTime {
    let common = Int128.greatestCommonDivisor(value, scale)
    return WideTime(
      value: value / common, scale: scale / common, isRounded: isRounded, epoch: epoch)
  }
}
