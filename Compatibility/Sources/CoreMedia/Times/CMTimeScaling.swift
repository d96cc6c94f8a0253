// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Converts a time to another timescale.
///
/// - Parameters:
///   - time: The time.
///   - newTimescale: Units per second.
///   - method: The method of rounding.
/// - Returns: The time, marked as rounded if it is not exact; infinite if the value is too large;
///   the time itself if it is not a number; `.invalid` if a timescale is not positive.
public func CMTimeConvertScale(
  _ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod
) -> CMTime {
  guard time.isNumeric else { return time }
  guard newTimescale > 0, time.timescale > 0 else { return .invalid }
  let wide = Int128(time.value) * Int128(newTimescale)
  let (value, isExact) = wide.divided(
    by: Int128(time.timescale), method.direction(from: time.timescale, to: newTimescale))
  guard var fitting = Int64(exactly: value) else { return .infinity(isNegative: time.value < 0) }
  if method == .quickTime, fitting == 0, time.value < 0 { fitting = -1 }
  var result = time
  result.value = fitting
  result.timescale = newTimescale
  if !isExact { result.flags.insert(.hasBeenRounded) }
  return result
}

extension CMTimeRoundingMethod {
  /// The direction of rounding; for `quickTime` it depends on the timescales.
  fileprivate func direction(from old: CMTimeScale, to new: CMTimeScale) -> Self {
    guard self == .quickTime else { return self }
    return new < old ? .roundTowardZero : .roundAwayFromZero
  }
}
