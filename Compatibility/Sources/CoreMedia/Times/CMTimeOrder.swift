// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Compares two times.
///
/// The order is: −∞, numbers, indefinite, +∞, invalid. Numbers of a later epoch are later.
///
/// - Parameters:
///   - time1: A time.
///   - time2: Another time.
/// - Returns: −1 if the first is earlier, 1 if it is later, 0 if they are equal.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
  let (rank1, rank2) = (time1.rank, time2.rank)
  guard rank1 == rank2 else { return rank1 < rank2 ? -1 : 1 }
  guard time1.isCountable else { return 0 }
  guard time1.epoch == time2.epoch else { return time1.epoch < time2.epoch ? -1 : 1 }
  let left = Int128(time1.value) * Int128(time2.timescale)
  let right = Int128(time2.value) * Int128(time1.timescale)
  return left == right ? 0 : left < right ? -1 : 1
}

/// Returns the earlier of two times.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// Returns the later of two times.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
  CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

/// Returns the absolute value of a time.
///
/// - Parameter time: The time.
/// - Returns: The absolute value; the value −2⁶³ does not change.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  guard !time.isNegativeInfinity else { return .positiveInfinity }
  guard time.isNumeric, time.value < 0 else { return time }
  var result = time
  result.value = 0 &- time.value
  return result
}

extension CMTime: @retroactive Equatable, @retroactive Comparable, @retroactive Hashable {
  /// True if two times are equal, even if their timescales differ.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

  /// True if a time is earlier than another.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

  /// Hashes the time, so that equal times have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isCountable else { return }
    let common = Int128.greatestCommonDivisor(Int128(value), Int128(timescale))
    hasher.combine(Int128(value) / common)
    hasher.combine(Int128(timescale) / common)
    hasher.combine(epoch)
  }

  /// The position of the time's kind in the order.
  fileprivate var rank: Int {
    guard isValid, isCountable || !isNumeric else { return 4 }
    if isNegativeInfinity { return 0 }
    if isPositiveInfinity { return 3 }
    return isIndefinite ? 2 : 1
  }
}
