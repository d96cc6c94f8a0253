// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The call did what it was to do.
public let kAudioServicesNoError: OSStatus = 0
/// There is no such property: 'pty?'.
public let kAudioServicesUnsupportedPropertyError = OSStatus(bitPattern: 0x7074_793F)
/// The property has another size: '!siz'.
public let kAudioServicesBadPropertySizeError = OSStatus(bitPattern: 0x2173_697A)
/// The specifier has another size: '!spc'.
public let kAudioServicesBadSpecifierSizeError = OSStatus(bitPattern: 0x2173_7063)
/// The sound is not there, or cannot be read.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500
/// The sound's owner did not answer; it is never given here.
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1501
/// The sound lasts more than 30 seconds.
public let kAudioServicesSystemSoundExceededMaximumDurationError: OSStatus = -1502

/// Whether a sound obeys the switch for sounds of the interface: a `UInt32`, 1 at first.
public let kAudioServicesPropertyIsUISound: AudioServicesPropertyID = 0x6973_7569
/// Whether a sound is heard to its end even if this process dies: a `UInt32`, 0 at first.
public let kAudioServicesPropertyCompletePlaybackIfAppDies: AudioServicesPropertyID = 0x6966_6469

/// The alert that is played where the person has chosen one: a chime.
public let kSystemSoundID_UserPreferredAlert: SystemSoundID = 0x1000
/// A flash of the screen: it is over at once, and nothing is seen.
public let kSystemSoundID_FlashScreen: SystemSoundID = 0xFFE
/// A shake of the device: it is over at once, and nothing is felt.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF
/// The alert that is played where the person has chosen one, by its older name.
public let kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
