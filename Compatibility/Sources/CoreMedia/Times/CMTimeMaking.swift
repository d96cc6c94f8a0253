// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Returns a time of `value` / `timescale` seconds.
///
/// - Parameters:
///   - value: The number of units.
///   - timescale: Units per second.
/// - Returns: The time, with epoch 0; `.invalid` for a timescale that is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns a time of `value` / `timescale` seconds in an epoch.
///
/// - Parameters:
///   - value: The number of units.
///   - timescale: Units per second.
///   - epoch: The line of time; 0 for durations.
/// - Returns: The time; `.invalid` for a timescale that is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  guard timescale > 0 else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Returns a time from seconds.
///
/// If the value is too large, the timescale is halved until it is not, or is 1.
///
/// - Parameters:
///   - seconds: The seconds. If they are not a number, they count as 0, rounded.
///   - preferredTimescale: Units per second.
/// - Returns: The time, rounded toward zero; infinite if it is too large at timescale 1; `.invalid`
///   for a timescale that is not positive.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  guard preferredTimescale > 0 else { return .invalid }
  guard !seconds.isNaN else {
    return CMTime(
      value: 0, timescale: preferredTimescale, flags: [.valid, .hasBeenRounded], epoch: 0)
  }
  guard seconds.isFinite else { return .infinity(isNegative: seconds < 0) }
  var scale = preferredTimescale
  while true {
    if let value = Int64(exactly: (seconds * Double(scale)).rounded(.towardZero)) {
      var time = CMTime(value: value, timescale: scale, flags: .valid, epoch: 0)
      if time.seconds != seconds { time.flags.insert(.hasBeenRounded) }
      return time
    }
    guard scale > 1 else { return .infinity(isNegative: seconds < 0) }
    scale /= 2
  }
}

/// Returns a time in seconds.
///
/// - Parameter time: The time; its epoch is ignored.
/// - Returns: The seconds, to the nearest double; NaN for a time that is not valid or not known.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
