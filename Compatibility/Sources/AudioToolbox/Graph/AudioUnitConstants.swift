// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The unit does not have this property.
public let kAudioUnitErr_InvalidProperty: OSStatus = -10879
/// The unit does not have this parameter.
public let kAudioUnitErr_InvalidParameter: OSStatus = -10878
/// The scope does not have this element.
public let kAudioUnitErr_InvalidElement: OSStatus = -10877
/// An input is not connected.
public let kAudioUnitErr_NoConnection: OSStatus = -10876
/// The unit cannot be initialized, usually because a soundfont is missing.
public let kAudioUnitErr_FailedInitialization: OSStatus = -10875
/// The slice has more frames than the unit is prepared for.
public let kAudioUnitErr_TooManyFramesToProcess: OSStatus = -10874
/// The unit does not support the format.
public let kAudioUnitErr_FormatNotSupported: OSStatus = -10868
/// The unit is not initialized.
public let kAudioUnitErr_Uninitialized: OSStatus = -10867
/// The unit does not have this scope.
public let kAudioUnitErr_InvalidScope: OSStatus = -10866
/// The property cannot be set.
public let kAudioUnitErr_PropertyNotWritable: OSStatus = -10865
/// The operation is not permitted in the current state.
public let kAudioUnitErr_CannotDoInCurrentContext: OSStatus = -10863
/// The property cannot have this value.
public let kAudioUnitErr_InvalidPropertyValue: OSStatus = -10851
/// The property does not have a value.
public let kAudioUnitErr_PropertyNotInUse: OSStatus = -10850
/// The file cannot be read, or has another format.
public let kAudioUnitErr_InvalidFile: OSStatus = -10871
/// The unit cannot be rendered offline.
public let kAudioUnitErr_InvalidOfflineRender: OSStatus = -10848
/// The program is not allowed to use the unit.
public let kAudioUnitErr_Unauthorized: OSStatus = -10847
/// The property cannot be changed while the unit is initialized.
public let kAudioUnitErr_Initialized: OSStatus = -10849
/// The graph does not have this node.
public let kAUGraphErr_NodeNotFound: OSStatus = -10860
/// The connection does not exist, would form a cycle, or one of its ends is already in use.
public let kAUGraphErr_InvalidConnection: OSStatus = -10861
/// The graph does not have exactly one output node.
public let kAUGraphErr_OutputNodeErr: OSStatus = -10862
/// The operation is not permitted in the current state.
public let kAUGraphErr_CannotDoInCurrentContext: OSStatus = -10863
/// The component does not exist.
public let kAUGraphErr_InvalidAudioUnit: OSStatus = -10864

/// The unit as a whole.
public let kAudioUnitScope_Global: AudioUnitScope = 0
/// An input of the unit.
public let kAudioUnitScope_Input: AudioUnitScope = 1
/// An output of the unit.
public let kAudioUnitScope_Output: AudioUnitScope = 2
/// A MIDI channel of an instrument.
public let kAudioUnitScope_Group: AudioUnitScope = 3
/// A part of an instrument.
public let kAudioUnitScope_Part: AudioUnitScope = 4
/// A note of an instrument.
public let kAudioUnitScope_Note: AudioUnitScope = 5

/// The connection of an input: an `AudioUnitConnection`.
public let kAudioUnitProperty_MakeConnection: AudioUnitPropertyID = 1
/// The sample rate: a `Float64`, in hertz; 44,100 by default.
public let kAudioUnitProperty_SampleRate: AudioUnitPropertyID = 2
/// The format of the sound: an `AudioStreamBasicDescription`.
public let kAudioUnitProperty_StreamFormat: AudioUnitPropertyID = 8
/// The number of elements of a scope: a `UInt32`.
public let kAudioUnitProperty_ElementCount: AudioUnitPropertyID = 11
/// The latency, always 0: a `Float64`, in seconds.
public let kAudioUnitProperty_Latency: AudioUnitPropertyID = 12
/// The largest number of frames of a slice: a `UInt32`; 1156 by default.
public let kAudioUnitProperty_MaximumFramesPerSlice: AudioUnitPropertyID = 14
/// The length of the tail, always 0: a `Float64`, in seconds.
public let kAudioUnitProperty_TailTime: AudioUnitPropertyID = 20
/// Bypass of an effect: a `UInt32`, 0 or 1; the value is stored and does not change the sound.
public let kAudioUnitProperty_BypassEffect: AudioUnitPropertyID = 21
/// The error of the latest slice that failed: an `OSStatus`.
public let kAudioUnitProperty_LastRenderError: AudioUnitPropertyID = 22
/// The render callback of an input: an `AURenderCallbackStruct`.
public let kAudioUnitProperty_SetRenderCallback: AudioUnitPropertyID = 23
/// A `UInt32`: 1 while an output plays on the device, otherwise 0.
public let kAudioOutputUnitProperty_IsRunning: AudioUnitPropertyID = 2001
/// A `UInt32`: 1 for the output scope, otherwise 0; setting it does not change it.
public let kAudioOutputUnitProperty_EnableIO: AudioUnitPropertyID = 2003
/// The soundfont of an instrument: a `CFURL`.
public let kMusicDeviceProperty_SoundBankURL: AudioUnitPropertyID = 1100
/// A `UInt32`: 1 if an instrument uses its reverb, otherwise 0; 1 by default.
public let kMusicDeviceProperty_UsesInternalReverb: AudioUnitPropertyID = 1005
/// Always 0: a `UInt32`; setting it does not change it, and programs are read when they are needed.
public let kAUMIDISynthProperty_EnablePreload: AudioUnitPropertyID = 4119

/// The preset that a sampler plays: an `AUSamplerInstrumentData`.
public let kAUSamplerProperty_LoadInstrument: AudioUnitPropertyID = 4102
/// A preset of a DLS file; it has the value of `kInstrumentType_SF2Preset`.
public let kInstrumentType_DLSPreset: UInt8 = 1
/// A preset of a soundfont.
public let kInstrumentType_SF2Preset: UInt8 = 1
/// A sampler preset of Apple; it cannot be loaded.
public let kInstrumentType_AUPreset: UInt8 = 2
/// A sound file; it cannot be loaded.
public let kInstrumentType_Audiofile: UInt8 = 3
/// An EXS24 instrument; it cannot be loaded.
public let kInstrumentType_EXS24: UInt8 = 4
/// The bank MSB (controller 0) for percussion.
public let kAUSampler_DefaultPercussionBankMSB = 0x78
/// The bank MSB (controller 0) for melodic instruments.
public let kAUSampler_DefaultMelodicBankMSB = 0x79
/// The bank LSB (controller 32) of the default bank.
public let kAUSampler_DefaultBankLSB = 0

/// The volume as a factor; 1 by default.
public let kMultiChannelMixerParam_Volume: AudioUnitParameterID = 0
/// 1 if an input is on, otherwise 0; 1 by default.
public let kMultiChannelMixerParam_Enable: AudioUnitParameterID = 1
/// The pan, −1 (left) to 1 (right); 0 by default.
public let kMultiChannelMixerParam_Pan: AudioUnitParameterID = 2
/// The volume as a factor; 1 by default.
public let kMatrixMixerParam_Volume: AudioUnitParameterID = 0
/// 1 if an input is on, otherwise 0; 1 by default.
public let kMatrixMixerParam_Enable: AudioUnitParameterID = 1
/// The volume as a factor; 1 by default.
public let kStereoMixerParam_Volume: AudioUnitParameterID = 0
/// The pan, 0 (left) to 1 (right); 0.5 by default.
public let kStereoMixerParam_Pan: AudioUnitParameterID = 1
/// The tuning in cents, −1200…1200; it is stored and does not change the sound.
public let kMusicDeviceParam_Tuning: AudioUnitParameterID = 0
/// The volume in decibels, −120…40; 0 by default.
public let kMusicDeviceParam_Volume: AudioUnitParameterID = 1
/// The volume of the reverb in decibels, −120…40; 0 by default.
public let kMusicDeviceParam_ReverbVolume: AudioUnitParameterID = 2
/// The volume as a factor; 1 by default.
public let kHALOutputParam_Volume: AudioUnitParameterID = 14

/// A connection to the output of another node.
public let kAUNodeInteraction_Connection: UInt32 = 1
/// A render callback.
public let kAUNodeInteraction_InputCallback: UInt32 = 2
