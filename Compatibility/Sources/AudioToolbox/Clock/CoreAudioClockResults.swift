// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The clock does not have this property.
public let kCAClock_UnknownPropertyError: OSStatus = -66816
/// The size of the value does not match the property.
public let kCAClock_InvalidPropertySizeError: OSStatus = -66815
/// The time's format cannot be used here, or its time code does not exist.
public let kCAClock_InvalidTimeFormatError: OSStatus = -66814
/// The sync mode does not exist, does not allow the call, or cannot change while the clock is
/// running.
public let kCAClock_InvalidSyncModeError: OSStatus = -66813
/// The sync source is not a MIDI source.
public let kCAClock_InvalidSyncSourceError: OSStatus = -66812
/// The kind of timebase does not exist.
public let kCAClock_InvalidTimebaseError: OSStatus = -66811
/// The device or output unit of the timebase does not exist or does not match the kind of timebase.
public let kCAClock_InvalidTimebaseSourceError: OSStatus = -66810
/// The SMPTE format does not exist, or MIDI time code cannot carry it.
public let kCAClock_InvalidSMPTEFormatError: OSStatus = -66809
/// The time code of the start is out of range.
public let kCAClock_InvalidSMPTEOffsetError: OSStatus = -66808
/// The clock cannot convert the time: samples without an audio device, or between media time and
/// host time while it is stopped.
public let kCAClock_InvalidUnitError: OSStatus = -66807
/// The play rate is out of range, or the master sets it.
public let kCAClock_InvalidPlayRateError: OSStatus = -66806
/// Positions can be set only while the clock is stopped, and tempos only while it is running.
public let kCAClock_CannotSetTimeError: OSStatus = -66805
