// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Adds two times.
///
/// The timescale of the sum is the least common multiple of the two, at most `Int32.max`. A time
/// with epoch 0 is a duration; the sum then has the epoch of the other time. If both times have the
/// same epoch, the sum has epoch 0.
///
/// - Parameters:
///   - lhs: A time.
///   - rhs: Another time.
/// - Returns: The sum, marked as rounded if it or one of the times is rounded; infinite if it is
///   too large or one time is infinite; `.invalid` if a time is invalid, if the two are opposite
///   infinities, or if their epochs differ and neither is 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: 1) }

/// Subtracts a time from another.
///
/// Timescale, epoch and rounding are those of `CMTimeAdd`.
///
/// - Parameters:
///   - lhs: A time.
///   - rhs: The time that is subtracted.
/// - Returns: The difference; infinite if it is too large or one time is infinite; `.invalid` if a
///   time is invalid, if both are the same infinity, or if their epochs differ and neither is 0.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.adding(rhs, sign: -1) }

extension CMTime {
  /// Adds two times.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// Subtracts a time from another.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
    CMTimeSubtract(minuend, subtrahend)
  }

  /// Adds a time, or subtracts it if `sign` is −1.
  fileprivate func adding(_ other: CMTime, sign: Int128) -> CMTime {
    guard isValid, other.isValid else { return .invalid }
    if let infinite = addingInfinity(other, sign: sign) { return infinite }
    if isIndefinite || other.isIndefinite { return .indefinite }
    guard timescale > 0, other.timescale > 0 else { return .invalid }
    guard let epoch = commonEpoch(with: other) else { return .invalid }
    let (left, right) = (Int128(timescale), Int128(other.timescale))
    let divisor = Int128.greatestCommonDivisor(left, right)
    let value = Int128(value) * (right / divisor) + sign * Int128(other.value) * (left / divisor)
    return WideTime(
      value: value, scale: left / divisor * right,
      isRounded: hasBeenRounded || other.hasBeenRounded, epoch: epoch
    ).time
  }

  /// The sum if one of the times is infinite, or nil.
  private func addingInfinity(_ other: CMTime, sign: Int128) -> CMTime? {
    guard isInfinite || other.isInfinite else { return nil }
    let otherIsNegative = other.isNegativeInfinity == (sign > 0)
    if isInfinite, other.isInfinite, isNegativeInfinity != otherIsNegative { return .invalid }
    return .infinity(isNegative: isInfinite ? isNegativeInfinity : otherIsNegative)
  }

  /// The epoch of a sum, or nil if the times belong to different timelines.
  private func commonEpoch(with other: CMTime) -> CMTimeEpoch? {
    if epoch == 0 { return other.epoch }
    if other.epoch == 0 { return epoch }
    return epoch == other.epoch ? 0 : nil
  }
}
