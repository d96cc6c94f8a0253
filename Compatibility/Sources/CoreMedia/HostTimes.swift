// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Returns host time as a time in nanoseconds.
///
/// - Parameter hostTime: Host time.
/// - Returns: The time; 2⁶³ − 1 ns for a later host time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: CMTimeValue(clamping: hostTime), timescale: 1_000_000_000)
}

/// Returns a time as host time.
///
/// - Parameter time: The time.
/// - Returns: Host time, rounded down; 0 for a time before it and for a time that is not a number.
public func CMClockConvertHostTimeToSystemUnits(_ time: CMTime) -> UInt64 {
  guard time.isCountable, time.value > 0 else { return 0 }
  let (high, low) = UInt64(time.value).multipliedFullWidth(by: 1_000_000_000)
  let scale = UInt64(time.timescale)
  return high < scale ? scale.dividingFullWidth((high, low)).quotient : .max
}
