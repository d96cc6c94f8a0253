// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Returns a time of `value` / `timescale` seconds.
///
/// - Parameters:
///   - value: The number of units.
///   - timescale: Units per second.
/// - Returns: The time, with epoch 0; `.invalid` if the timescale is not positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// Returns a time of `value` / `timescale` seconds in an epoch.
///
/// - Parameters:
///   - value: The number of units.
///   - timescale: Units per second.
///   - epoch: The timeline; 0 for durations.
/// - Returns: The time; `.invalid` if the timescale is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  guard timescale > 0 else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// Converts seconds to a time.
///
/// If the value is too large, the timescale is halved until the value fits.
///
/// - Parameters:
///   - seconds: The seconds. If this is not a number, the value is 0, marked as rounded.
///   - preferredTimescale: Units per second.
/// - Returns: The time, rounded toward zero; infinite if it is too large even with timescale 1;
///   `.invalid` if the timescale is not positive.
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

/// Converts a time to seconds.
///
/// - Parameter time: The time; its epoch is ignored.
/// - Returns: The seconds, rounded to the nearest double; NaN for an invalid or indefinite time.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
