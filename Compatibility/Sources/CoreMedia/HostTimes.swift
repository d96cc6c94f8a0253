// SPDX-License-Identifier: Apache-2.0

/// A count of a time's unit.
public typealias CMTimeValue = Int64
/// How many units a second has.
public typealias CMTimeScale = Int32

/// A time as a fraction of seconds.
public struct CMTime: Hashable, BitwiseCopyable, Sendable {
  /// The count.
  public var value: CMTimeValue
  /// Units a second; 0 where it is no time.
  public var timescale: CMTimeScale

  /// Creates a time.
  public init(value: CMTimeValue = 0, timescale: CMTimeScale = 0) {
    self.value = value
    self.timescale = timescale
  }

  /// The time in seconds, to the nearest that a double can hold; not a number for no time.
  public var seconds: Double { timescale == 0 ? .nan : Double(value) / Double(timescale) }
}

/// A time in seconds.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Host time as a time in nanoseconds.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: CMTimeValue(clamping: hostTime), timescale: 1_000_000_000)
}

/// A time as host time, rounded down; 0 for what lies before it.
public func CMClockConvertHostTimeToSystemUnits(_ time: CMTime) -> UInt64 {
  guard time.timescale > 0, time.value > 0 else { return 0 }
  let (high, low) = UInt64(time.value).multipliedFullWidth(by: 1_000_000_000)
  let scale = UInt64(time.timescale)
  return high < scale ? scale.dividingFullWidth((high, low)).quotient : .max
}
