// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Returns a range with a start and a duration.
///
/// - Parameters:
///   - start: The start.
///   - duration: The duration.
/// - Returns: The range; `.invalid` if the epoch of the duration is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Returns a range from a start to an end.
///
/// - Parameters:
///   - start: The start.
///   - end: The end, which is outside of the range.
/// - Returns: The range; `.invalid` if the end is before the start or has another epoch.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  guard start.isValid, end.isValid, !start.isNumeric || !end.isNumeric || start.epoch == end.epoch
  else { return .invalid }
  var duration = CMTimeSubtract(end, start)
  duration.epoch = 0
  let range = CMTimeRange(start: start, duration: duration)
  return range.isValid ? range : .invalid
}

/// Returns the end of a range.
///
/// - Parameter range: The range.
/// - Returns: The end, in the epoch of the start; `.invalid` if the range is invalid.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
  range.isValid ? CMTimeAdd(range.start, range.duration) : .invalid
}

/// Returns the smallest range that contains both ranges.
///
/// - Parameters:
///   - range: A range.
///   - otherRange: Another range.
/// - Returns: The union; `.invalid` if a range is invalid or the epochs differ.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  guard range.isComparable(with: otherRange) else { return .invalid }
  return CMTimeRange(
    start: CMTimeMinimum(range.start, otherRange.start),
    end: CMTimeMaximum(range.end, otherRange.end))
}

/// Returns the largest range that both ranges contain.
///
/// - Parameters:
///   - range: A range.
///   - otherRange: Another range.
/// - Returns: The intersection; `.zero` if the ranges do not overlap; `.invalid` if a range is
///   invalid or the epochs differ.
public func CMTimeRangeGetIntersection(
  _ range: CMTimeRange, otherRange: CMTimeRange
) -> CMTimeRange {
  guard range.isComparable(with: otherRange) else { return .invalid }
  let start = CMTimeMaximum(range.start, otherRange.start)
  let end = CMTimeMinimum(range.end, otherRange.end)
  return start < end ? CMTimeRange(start: start, end: end) : .zero
}

/// True if two ranges have the same start and duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1.start == range2.start && range1.duration == range2.duration
}

/// True if a range contains a time.
///
/// - Parameters:
///   - range: The range.
///   - time: The time.
/// - Returns: True if the time is at or after the start and before the end, in the same epoch.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  guard range.isValid, time.isNumeric, !range.start.isNumeric || range.start.epoch == time.epoch
  else { return false }
  return range.start <= time && time < range.end
}

/// True if a range contains another.
///
/// - Parameters:
///   - range: The range.
///   - otherRange: The range that may be inside.
/// - Returns: True if the start of the other range is in the range, and its end is not after the
///   range's end.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  guard otherRange.isValid else { return false }
  return CMTimeRangeContainsTime(range, time: otherRange.start) && otherRange.end <= range.end
}

extension CMTimeRange {
  /// True if both ranges are valid and have the same epoch.
  fileprivate func isComparable(with other: CMTimeRange) -> Bool {
    isValid && other.isValid
      && (start.epoch == other.start.epoch || !start.isNumeric || !other.start.isNumeric)
  }
}
