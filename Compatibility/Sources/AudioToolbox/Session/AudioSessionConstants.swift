// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// A property of the audio session.
public typealias AudioSessionPropertyID = UInt32

/// A function that is called when an interruption begins or ends.
public typealias AudioSessionInterruptionListener =
  @convention(c) (_ inClientData: UnsafeMutableRawPointer?, _ inInterruptionState: UInt32) -> Void

/// A function that is called when a property has changed.
public typealias AudioSessionPropertyListener =
  @convention(c) (
    _ inClientData: UnsafeMutableRawPointer?, _ inID: AudioSessionPropertyID,
    _ inDataSize: UInt32, _ inData: UnsafeRawPointer?
  ) -> Void

/// The function succeeded.
public let kAudioSessionNoError: OSStatus = 0
/// The session is not initialized: '!ini'; not returned.
public let kAudioSessionNotInitialized = OSStatus(bitPattern: 0x2169_6E69)
/// The session is initialized already: 'init'.
public let kAudioSessionAlreadyInitialized = OSStatus(bitPattern: 0x696E_6974)
/// The session cannot be initialized: 'ini?'; not returned.
public let kAudioSessionInitializationError = OSStatus(bitPattern: 0x696E_693F)
/// The property does not exist, or cannot be read or set: 'pty?'.
public let kAudioSessionUnsupportedPropertyError = OSStatus(bitPattern: 0x7074_793F)
/// The size does not match the property: '!siz'.
public let kAudioSessionBadPropertySizeError = OSStatus(bitPattern: 0x2173_697A)
/// The session is not active: '!act'; never returned.
public let kAudioSessionNotActiveError = OSStatus(bitPattern: 0x2161_6374)
/// No device is available: 'nohw'; never returned.
public let kAudioServicesNoHardwareError = OSStatus(bitPattern: 0x6E6F_6877)
/// No category is set: '?cat'; never returned.
public let kAudioSessionNoCategorySet = OSStatus(bitPattern: 0x3F63_6174)
/// The category does not allow the operation, or does not exist: '!cat'.
public let kAudioSessionIncompatibleCategory = OSStatus(bitPattern: 0x2163_6174)
/// An unspecified error: 'what'.
public let kAudioSessionUnspecifiedError = OSStatus(bitPattern: 0x7768_6174)

/// An interruption has started.
public let kAudioSessionBeginInterruption: UInt32 = 1
/// An interruption has ended.
public let kAudioSessionEndInterruption: UInt32 = 0
/// Other programs are notified when the session becomes inactive.
public let kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation: UInt32 = 1

/// Sound that mixes with other programs.
public let kAudioSessionCategory_AmbientSound: UInt32 = 0x616D_6269
/// Sound that silences other programs; the default.
public let kAudioSessionCategory_SoloAmbientSound: UInt32 = 0x736F_6C6F
/// Playback of music.
public let kAudioSessionCategory_MediaPlayback: UInt32 = 0x6D65_6469
/// Recording.
public let kAudioSessionCategory_RecordAudio: UInt32 = 0x7265_6361
/// Playback and recording.
public let kAudioSessionCategory_PlayAndRecord: UInt32 = 0x706C_6172
/// Processing without playback and recording.
public let kAudioSessionCategory_AudioProcessing: UInt32 = 0x7072_6F63

/// The preferred rate: a `Float64`, in hertz.
public let kAudioSessionProperty_PreferredHardwareSampleRate: AudioSessionPropertyID = 0x6877_7372
/// The preferred length of a period: a `Float32`, in seconds.
public let kAudioSessionProperty_PreferredHardwareIOBufferDuration: AudioSessionPropertyID =
  0x696F_6264
/// The category: a `UInt32`.
public let kAudioSessionProperty_AudioCategory: AudioSessionPropertyID = 0x6163_6174
/// The route, for listeners only.
public let kAudioSessionProperty_AudioRouteChange: AudioSessionPropertyID = 0x726F_6368
/// The rate: a `Float64`, in hertz.
public let kAudioSessionProperty_CurrentHardwareSampleRate: AudioSessionPropertyID = 0x6368_7372
/// The number of input channels: a `UInt32`.
public let kAudioSessionProperty_CurrentHardwareInputNumberChannels: AudioSessionPropertyID =
  0x6368_6963
/// The number of output channels: a `UInt32`.
public let kAudioSessionProperty_CurrentHardwareOutputNumberChannels: AudioSessionPropertyID =
  0x6368_6F63
/// The volume, always 1: a `Float32`.
public let kAudioSessionProperty_CurrentHardwareOutputVolume: AudioSessionPropertyID = 0x6368_6F76
/// The latency of the input: a `Float32`, in seconds.
public let kAudioSessionProperty_CurrentHardwareInputLatency: AudioSessionPropertyID = 0x6369_6C74
/// The latency of the output: a `Float32`, in seconds.
public let kAudioSessionProperty_CurrentHardwareOutputLatency: AudioSessionPropertyID =
  0x636F_6C74
/// The length of a period: a `Float32`, in seconds.
public let kAudioSessionProperty_CurrentHardwareIOBufferDuration: AudioSessionPropertyID =
  0x6368_6264
/// True if another program plays: a `UInt32`, 0 or 1.
public let kAudioSessionProperty_OtherAudioIsPlaying: AudioSessionPropertyID = 0x6F74_6872
/// True if the machine can record: a `UInt32`, 0 or 1.
public let kAudioSessionProperty_AudioInputAvailable: AudioSessionPropertyID = 0x6169_6176
/// True if playback mixes with other programs: a `UInt32`, 0 or 1.
public let kAudioSessionProperty_OverrideCategoryMixWithOthers: AudioSessionPropertyID =
  0x636D_6978

/// The dictionary key for the reason why the route changed.
public let kAudioSession_AudioRouteChangeKey_Reason = "OutputDeviceDidChange_Reason"
/// The route changed for an unknown reason.
public let kAudioSessionRouteChangeReason_Unknown: UInt32 = 0
/// A device was connected.
public let kAudioSessionRouteChangeReason_NewDeviceAvailable: UInt32 = 1
/// The device was disconnected.
public let kAudioSessionRouteChangeReason_OldDeviceUnavailable: UInt32 = 2
/// The category was changed.
public let kAudioSessionRouteChangeReason_CategoryChange: UInt32 = 3
/// The route was overridden.
public let kAudioSessionRouteChangeReason_Override: UInt32 = 4
