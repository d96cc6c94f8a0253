// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The function succeeded.
public let kAudioServicesNoError: OSStatus = 0
/// The property does not exist: 'pty?'.
public let kAudioServicesUnsupportedPropertyError = OSStatus(bitPattern: 0x7074_793F)
/// The size does not match the property: '!siz'.
public let kAudioServicesBadPropertySizeError = OSStatus(bitPattern: 0x2173_697A)
/// The size does not match the specifier: '!spc'.
public let kAudioServicesBadSpecifierSizeError = OSStatus(bitPattern: 0x2173_7063)
/// The sound does not exist, or its file cannot be read.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500
/// The sound's client did not respond in time; not returned.
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1501
/// The sound is longer than 30 seconds.
public let kAudioServicesSystemSoundExceededMaximumDurationError: OSStatus = -1502

/// A `UInt32`: 1 if a sound follows the system's setting for interface sounds; 1 by default; the
/// value is stored and does not change playback.
public let kAudioServicesPropertyIsUISound: AudioServicesPropertyID = 0x6973_7569
/// A `UInt32`: 1 if a sound plays to its end even if the process dies; 0 by default.
public let kAudioServicesPropertyCompletePlaybackIfAppDies: AudioServicesPropertyID = 0x6966_6469

/// The alert sound that the user prefers; on Linux always a chime.
public let kSystemSoundID_UserPreferredAlert: SystemSoundID = 0x1000
/// A flash of the screen; playback does nothing and completes at once.
public let kSystemSoundID_FlashScreen: SystemSoundID = 0xFFE
/// A vibration of the device; playback does nothing and completes at once.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF
/// The older name of `kSystemSoundID_UserPreferredAlert`.
public let kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
