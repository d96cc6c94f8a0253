// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Maps a time from a range to another range, in proportion.
///
/// - Parameters:
///   - t: The time, in the epoch of the first range's start.
///   - fromRange: The range that contains the time.
///   - toRange: The range to which the time is mapped.
/// - Returns: The time, rounded to 1 ns if the durations differ. If both durations are infinite,
///   the time is moved by the difference of the starts. `.invalid` if a range is empty or invalid,
///   or if the epochs differ.
public func CMTimeMapTimeFromRangeToRange(
  _ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard t.isNumeric, t.epoch == fromRange.start.epoch, fromRange.canMap(to: toRange) else {
    return .invalid
  }
  if t == fromRange.end { return toRange.end }
  var offset = CMTimeSubtract(t, fromRange.start)
  offset.epoch = 0
  return CMTimeAdd(toRange.start, offset.scaled(from: fromRange.duration, to: toRange.duration))
}

/// Scales a duration by the ratio of the durations of two ranges.
///
/// - Parameters:
///   - dur: The duration, with epoch 0.
///   - fromRange: The original range.
///   - toRange: The scaled range.
/// - Returns: The duration, rounded to 1 ns if the durations of the ranges differ; `.invalid` if a
///   range is empty or invalid, or if the epoch of the duration is not 0.
public func CMTimeMapDurationFromRangeToRange(
  _ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard dur.isNumeric, dur.epoch == 0, fromRange.canMap(to: toRange) else { return .invalid }
  return dur.scaled(from: fromRange.duration, to: toRange.duration)
}

/// Limits a time to a range.
///
/// - Parameters:
///   - time: The time.
///   - range: The range.
/// - Returns: The time itself, the start or the end; `.invalid` if the time is invalid, or the
///   range is empty or invalid.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  guard time.isValid, range.isValid, !range.isEmpty else { return .invalid }
  return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// Moves a time into a range by a whole number of the range's durations, as in a loop.
///
/// - Parameters:
///   - time: The time, in the epoch of the range's start; it may be before the range.
///   - foldRange: The range.
/// - Returns: The time; `.invalid` if it is not a number, if the range is empty or invalid, or if
///   the epochs differ.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  guard time.isCountable, foldRange.isValid, !foldRange.isEmpty,
    time.epoch == foldRange.start.epoch
  else { return .invalid }
  if foldRange.containsTime(time) { return time }
  guard foldRange.start.isCountable, foldRange.duration.isCountable else { return .invalid }
  let offset = CMTimeSubtract(time, foldRange.start)
  guard offset.isCountable else { return .invalid }
  return CMTimeAdd(foldRange.start, offset.remainder(of: foldRange.duration))
}

extension CMTimeRange {
  /// True if times can be mapped from this range to another.
  fileprivate func canMap(to other: CMTimeRange) -> Bool {
    guard isValid, other.isValid, !isEmpty, !other.isEmpty else { return false }
    guard start.isCountable, other.start.isCountable else { return false }
    if duration.isPositiveInfinity || other.duration.isPositiveInfinity {
      return duration == other.duration
    }
    return duration.isCountable && other.duration.isCountable
  }
}

extension CMTime {
  /// The time, multiplied by the ratio of two durations.
  fileprivate func scaled(from old: CMTime, to new: CMTime) -> CMTime {
    guard old != new else { return self }
    return CMTimeMakeWithSeconds(
      seconds * (new.seconds / old.seconds), preferredTimescale: 1_000_000_000)
  }

  /// The remainder of the time after whole durations, from 0 up to one duration.
  fileprivate func remainder(of duration: CMTime) -> CMTime {
    let (left, right) = (Int128(timescale), Int128(duration.timescale))
    let divisor = Int128.greatestCommonDivisor(left, right)
    let whole = Int128(duration.value) * (left / divisor)
    var rest = (Int128(value) * (right / divisor)) % whole
    if rest < 0 { rest += whole }
    return WideTime(
      value: rest, scale: left / divisor * right,
      isRounded: hasBeenRounded || duration.hasBeenRounded, epoch: 0
    ).time
  }
}
