// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// Host time now, in nanoseconds.
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Ticks of host time a second.
public func AudioGetHostClockFrequency() -> Double { 1e9 }

/// The least number of ticks by which host time grows.
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Host time in nanoseconds: the same number.
public func AudioConvertHostTimeToNanos(_ hostTime: UInt64) -> UInt64 { hostTime }

/// Nanoseconds as host time: the same number.
public func AudioConvertNanosToHostTime(_ nanoseconds: UInt64) -> UInt64 { nanoseconds }
