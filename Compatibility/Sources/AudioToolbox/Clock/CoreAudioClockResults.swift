// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The clock has no such property.
public let kCAClock_UnknownPropertyError: OSStatus = -66816
/// The property has another size.
public let kCAClock_InvalidPropertySizeError: OSStatus = -66815
/// The time is in a format that cannot be used here, or its label does not exist.
public let kCAClock_InvalidTimeFormatError: OSStatus = -66814
/// There is no such mode, or the mode forbids the call, or the clock runs.
public let kCAClock_InvalidSyncModeError: OSStatus = -66813
/// The source to follow is no source.
public let kCAClock_InvalidSyncSourceError: OSStatus = -66812
/// The clock cannot run by that.
public let kCAClock_InvalidTimebaseError: OSStatus = -66811
/// What the clock is to run by is not there.
public let kCAClock_InvalidTimebaseSourceError: OSStatus = -66810
/// There is no such format of labels, or time code cannot carry it.
public let kCAClock_InvalidSMPTEFormatError: OSStatus = -66809
/// The label of the start is out of range.
public let kCAClock_InvalidSMPTEOffsetError: OSStatus = -66808
/// The clock cannot convert the time: samples without an audio device, or between media time and
/// host time while it is stopped.
public let kCAClock_InvalidUnitError: OSStatus = -66807
/// The rate is out of range, or the master's business.
public let kCAClock_InvalidPlayRateError: OSStatus = -66806
/// Times are set while the clock stands, tempi while it runs.
public let kCAClock_CannotSetTimeError: OSStatus = -66805
