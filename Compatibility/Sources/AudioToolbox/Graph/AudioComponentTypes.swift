// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// An output.
public let kAudioUnitType_Output: OSType = 0x6175_6F75
/// An instrument.
public let kAudioUnitType_MusicDevice: OSType = 0x6175_6D75
/// A mixer.
public let kAudioUnitType_Mixer: OSType = 0x6175_6D78
/// An effect.
public let kAudioUnitType_Effect: OSType = 0x6175_6678
/// A converter.
public let kAudioUnitType_FormatConverter: OSType = 0x6175_6663
/// An output in the program's own hands.
public let kAudioUnitSubType_GenericOutput: OSType = 0x6765_6E72
/// The output on the default device.
public let kAudioUnitSubType_DefaultOutput: OSType = 0x6465_6620
/// The output on the device of alerts, here the default one.
public let kAudioUnitSubType_SystemOutput: OSType = 0x7379_7320
/// The output on one device, here the default one.
public let kAudioUnitSubType_HALOutput: OSType = 0x6168_616C
/// The output of mobile systems, here on the default device.
public let kAudioUnitSubType_RemoteIO: OSType = 0x7269_6F63
/// A synthesiser of sixteen parts with a soundfont.
public let kAudioUnitSubType_DLSSynth: OSType = 0x646C_7320
/// A synthesiser of sixteen parts with a soundfont.
public let kAudioUnitSubType_MIDISynth: OSType = 0x6D73_796E
/// A synthesiser with a soundfont, of one program.
public let kAudioUnitSubType_Sampler: OSType = 0x7361_6D70
/// A mixer.
public let kAudioUnitSubType_MultiChannelMixer: OSType = 0x6D63_6D78
/// A mixer; its levels are 1 at first.
public let kAudioUnitSubType_MatrixMixer: OSType = 0x6D78_6D78
/// A mixer.
public let kAudioUnitSubType_StereoMixer: OSType = 0x736D_7872
/// An effect that lets the sound through.
public let kAudioUnitSubType_DynamicsProcessor: OSType = 0x6463_6D70
/// A converter, of nothing.
public let kAudioUnitSubType_AUConverter: OSType = 0x636F_6E76
/// The manufacturer of everything here.
public let kAudioUnitManufacturer_Apple: OSType = 0x6170_706C
