// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The type of outputs.
public let kAudioUnitType_Output: OSType = 0x6175_6F75
/// The type of instruments.
public let kAudioUnitType_MusicDevice: OSType = 0x6175_6D75
/// The type of mixers.
public let kAudioUnitType_Mixer: OSType = 0x6175_6D78
/// The type of effects.
public let kAudioUnitType_Effect: OSType = 0x6175_6678
/// The type of format converters.
public let kAudioUnitType_FormatConverter: OSType = 0x6175_6663
/// An output that does not play on a device: the program renders it.
public let kAudioUnitSubType_GenericOutput: OSType = 0x6765_6E72
/// The output on the default device.
public let kAudioUnitSubType_DefaultOutput: OSType = 0x6465_6620
/// The output for alerts, which plays on the default device.
public let kAudioUnitSubType_SystemOutput: OSType = 0x7379_7320
/// The output on a selected device; on Linux it plays on the default device.
public let kAudioUnitSubType_HALOutput: OSType = 0x6168_616C
/// The output of mobile systems, which plays on the default device.
public let kAudioUnitSubType_RemoteIO: OSType = 0x7269_6F63
/// A synthesiser with 16 parts that plays a soundfont.
public let kAudioUnitSubType_DLSSynth: OSType = 0x646C_7320
/// A synthesiser with 16 parts that plays a soundfont.
public let kAudioUnitSubType_MIDISynth: OSType = 0x6D73_796E
/// A synthesiser that plays one preset of a soundfont on all channels.
public let kAudioUnitSubType_Sampler: OSType = 0x7361_6D70
/// A mixer with volume, pan and on/off for each input.
public let kAudioUnitSubType_MultiChannelMixer: OSType = 0x6D63_6D78
/// A mixer like the multichannel mixer, with volumes of 1 by default.
public let kAudioUnitSubType_MatrixMixer: OSType = 0x6D78_6D78
/// A mixer with volume and pan for each input.
public let kAudioUnitSubType_StereoMixer: OSType = 0x736D_7872
/// A dynamics processor, which passes the sound through unchanged.
public let kAudioUnitSubType_DynamicsProcessor: OSType = 0x6463_6D70
/// A format converter, which passes the sound through unchanged.
public let kAudioUnitSubType_AUConverter: OSType = 0x636F_6E76
/// An equaliser with several bands; available only as `AVAudioUnitEQ`.
public let kAudioUnitSubType_NBandEQ: OSType = 0x6E62_6571
/// A delay; available only as `AVAudioUnitDelay`.
public let kAudioUnitSubType_Delay: OSType = 0x6465_6C79
/// A reverb; available only as `AVAudioUnitReverb`.
public let kAudioUnitSubType_Reverb2: OSType = 0x7276_6232
/// A distortion; available only as `AVAudioUnitDistortion`.
public let kAudioUnitSubType_Distortion: OSType = 0x6469_7374
/// Changes rate and pitch independently; available only as `AVAudioUnitTimePitch`.
public let kAudioUnitSubType_NewTimePitch: OSType = 0x6E75_7470
/// Changes rate and pitch together; available only as `AVAudioUnitVarispeed`.
public let kAudioUnitSubType_Varispeed: OSType = 0x7661_7269
/// The manufacturer of all components of this module.
public let kAudioUnitManufacturer_Apple: OSType = 0x6170_706C
