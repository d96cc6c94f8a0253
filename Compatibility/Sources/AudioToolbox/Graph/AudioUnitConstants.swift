// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The unit has no such property.
public let kAudioUnitErr_InvalidProperty: OSStatus = -10879
/// The unit has no such parameter.
public let kAudioUnitErr_InvalidParameter: OSStatus = -10878
/// The scope has no such element.
public let kAudioUnitErr_InvalidElement: OSStatus = -10877
/// An input hears nothing.
public let kAudioUnitErr_NoConnection: OSStatus = -10876
/// The unit cannot be made ready: there is no soundfont, as a rule.
public let kAudioUnitErr_FailedInitialization: OSStatus = -10875
/// More frames are asked for than the unit is ready for.
public let kAudioUnitErr_TooManyFramesToProcess: OSStatus = -10874
/// The unit does not know the format.
public let kAudioUnitErr_FormatNotSupported: OSStatus = -10868
/// The unit is not ready.
public let kAudioUnitErr_Uninitialized: OSStatus = -10867
/// The unit has no such scope.
public let kAudioUnitErr_InvalidScope: OSStatus = -10866
/// The property cannot be set.
public let kAudioUnitErr_PropertyNotWritable: OSStatus = -10865
/// Not now.
public let kAudioUnitErr_CannotDoInCurrentContext: OSStatus = -10863
/// The value is none of the property's.
public let kAudioUnitErr_InvalidPropertyValue: OSStatus = -10851
/// The property has no value.
public let kAudioUnitErr_PropertyNotInUse: OSStatus = -10850
/// A file cannot be read, or is of another kind.
public let kAudioUnitErr_InvalidFile: OSStatus = -10871
/// A unit cannot be rendered so.
public let kAudioUnitErr_InvalidOfflineRender: OSStatus = -10848
/// The unit may not be used.
public let kAudioUnitErr_Unauthorized: OSStatus = -10847
/// The unit is ready: make it unready first.
public let kAudioUnitErr_Initialized: OSStatus = -10849
/// The graph has no such node.
public let kAUGraphErr_NodeNotFound: OSStatus = -10860
/// The connection is not there, or makes a circle, or its end is taken.
public let kAUGraphErr_InvalidConnection: OSStatus = -10861
/// A graph has one output node, and no more.
public let kAUGraphErr_OutputNodeErr: OSStatus = -10862
/// Not now.
public let kAUGraphErr_CannotDoInCurrentContext: OSStatus = -10863
/// There is no such unit.
public let kAUGraphErr_InvalidAudioUnit: OSStatus = -10864

/// The whole unit.
public let kAudioUnitScope_Global: AudioUnitScope = 0
/// An input.
public let kAudioUnitScope_Input: AudioUnitScope = 1
/// An output.
public let kAudioUnitScope_Output: AudioUnitScope = 2
/// A MIDI channel.
public let kAudioUnitScope_Group: AudioUnitScope = 3
/// A part.
public let kAudioUnitScope_Part: AudioUnitScope = 4
/// A note.
public let kAudioUnitScope_Note: AudioUnitScope = 5

/// An `AudioUnitConnection`: what an input hears.
public let kAudioUnitProperty_MakeConnection: AudioUnitPropertyID = 1
/// A `Float64`: frames a second.
public let kAudioUnitProperty_SampleRate: AudioUnitPropertyID = 2
/// An `AudioStreamBasicDescription`.
public let kAudioUnitProperty_StreamFormat: AudioUnitPropertyID = 8
/// A `UInt32`: the elements of a scope.
public let kAudioUnitProperty_ElementCount: AudioUnitPropertyID = 11
/// A `Float64`, seconds.
public let kAudioUnitProperty_Latency: AudioUnitPropertyID = 12
/// A `UInt32`: the most frames that are asked for at once.
public let kAudioUnitProperty_MaximumFramesPerSlice: AudioUnitPropertyID = 14
/// A `Float64`, seconds.
public let kAudioUnitProperty_TailTime: AudioUnitPropertyID = 20
/// A `UInt32`, 0 or 1.
public let kAudioUnitProperty_BypassEffect: AudioUnitPropertyID = 21
/// An `OSStatus`.
public let kAudioUnitProperty_LastRenderError: AudioUnitPropertyID = 22
/// An `AURenderCallbackStruct`: what makes an input's sound.
public let kAudioUnitProperty_SetRenderCallback: AudioUnitPropertyID = 23
/// A `UInt32`, 0 or 1.
public let kAudioOutputUnitProperty_IsRunning: AudioUnitPropertyID = 2001
/// A `UInt32`, 0 or 1.
public let kAudioOutputUnitProperty_EnableIO: AudioUnitPropertyID = 2003
/// A `CFURL`: the soundfont.
public let kMusicDeviceProperty_SoundBankURL: AudioUnitPropertyID = 1100
/// A `UInt32`, 0 or 1.
public let kMusicDeviceProperty_UsesInternalReverb: AudioUnitPropertyID = 1005
/// A `UInt32`, 0 or 1; programs are read when they are asked for, whatever it is.
public let kAUMIDISynthProperty_EnablePreload: AudioUnitPropertyID = 4119

/// An `AUSamplerInstrumentData`: what a sampler plays.
public let kAUSamplerProperty_LoadInstrument: AudioUnitPropertyID = 4102
/// A preset of a DLS file; here none can be read.
public let kInstrumentType_DLSPreset: UInt8 = 1
/// A preset of a soundfont.
public let kInstrumentType_SF2Preset: UInt8 = 1
/// A preset of a sampler's own; here none can be read.
public let kInstrumentType_AUPreset: UInt8 = 2
/// A sound file; here none can be read.
public let kInstrumentType_Audiofile: UInt8 = 3
/// An instrument of EXS24; here none can be read.
public let kInstrumentType_EXS24: UInt8 = 4
/// The bank of drums.
public let kAUSampler_DefaultPercussionBankMSB = 0x78
/// The bank of all else.
public let kAUSampler_DefaultMelodicBankMSB = 0x79
/// The lower byte of either.
public let kAUSampler_DefaultBankLSB = 0

/// A factor, 1 at first.
public let kMultiChannelMixerParam_Volume: AudioUnitParameterID = 0
/// 0 or 1, 1 at first.
public let kMultiChannelMixerParam_Enable: AudioUnitParameterID = 1
/// −1 (left) to 1 (right).
public let kMultiChannelMixerParam_Pan: AudioUnitParameterID = 2
/// A factor, 1 at first.
public let kMatrixMixerParam_Volume: AudioUnitParameterID = 0
/// 0 or 1, 1 at first.
public let kMatrixMixerParam_Enable: AudioUnitParameterID = 1
/// A factor, 1 at first.
public let kStereoMixerParam_Volume: AudioUnitParameterID = 0
/// 0 (left) to 1 (right), 0.5 at first.
public let kStereoMixerParam_Pan: AudioUnitParameterID = 1
/// Cents, −1200…1200; it is kept and has no effect.
public let kMusicDeviceParam_Tuning: AudioUnitParameterID = 0
/// Decibels, −120…40.
public let kMusicDeviceParam_Volume: AudioUnitParameterID = 1
/// Decibels, −120…40.
public let kMusicDeviceParam_ReverbVolume: AudioUnitParameterID = 2
/// A factor, 1 at first.
public let kHALOutputParam_Volume: AudioUnitParameterID = 14

/// Another node is heard.
public let kAUNodeInteraction_Connection: UInt32 = 1
/// A function is heard.
public let kAUNodeInteraction_InputCallback: UInt32 = 2
