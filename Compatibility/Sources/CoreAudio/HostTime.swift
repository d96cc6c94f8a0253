// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// Returns the current host time in nanoseconds.
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Returns the number of host time units per second: one billion.
public func AudioGetHostClockFrequency() -> Double { 1e9 }

/// Returns the smallest step of host time, in units: 1.
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Converts host time to nanoseconds, which are the same number.
public func AudioConvertHostTimeToNanos(_ hostTime: UInt64) -> UInt64 { hostTime }

/// Converts nanoseconds to host time, which is the same number.
public func AudioConvertNanosToHostTime(_ nanoseconds: UInt64) -> UInt64 { nanoseconds }
