// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Converts host time to a time in nanoseconds.
///
/// - Parameter hostTime: The host time in nanoseconds.
/// - Returns: The time; 2⁶³ − 1 ns if the host time is later.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: CMTimeValue(clamping: hostTime), timescale: 1_000_000_000)
}

/// Converts a time to host time.
///
/// - Parameter time: The time.
/// - Returns: The host time in nanoseconds, rounded down and limited to 2⁶⁴ − 1; 0 for a time
///   before 0 and for a time that is not a number.
public func CMClockConvertHostTimeToSystemUnits(_ time: CMTime) -> UInt64 {
  guard time.isCountable, time.value > 0 else { return 0 }
  let (high, low) = UInt64(time.value).multipliedFullWidth(by: 1_000_000_000)
  let scale = UInt64(time.timescale)
  return high < scale ? scale.dividingFullWidth((high, low)).quotient : .max
}
