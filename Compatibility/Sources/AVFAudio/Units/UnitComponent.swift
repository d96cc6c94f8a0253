// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox

/// The units that can be created from a description.
enum UnitComponent: CaseIterable {
  case sampler, midiSynth, dlsSynth
  case equalizer, delay, reverb, distortion
  case timePitch, varispeed

  private var codes: (type: OSType, subtype: OSType) {
    switch self {
    case .sampler: (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler)
    case .midiSynth: (kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth)
    case .dlsSynth: (kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
    case .equalizer: (kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
    case .delay: (kAudioUnitType_Effect, kAudioUnitSubType_Delay)
    case .reverb: (kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
    case .distortion: (kAudioUnitType_Effect, kAudioUnitSubType_Distortion)
    case .timePitch: (kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch)
    case .varispeed: (kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
    }
  }

  var description: AudioComponentDescription {
    AudioComponentDescription(
      componentType: codes.type, componentSubType: codes.subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  var name: String {
    switch self {
    case .sampler: "SoundFont Sampler"
    case .midiSynth: "SoundFont MIDI Synth"
    case .dlsSynth: "SoundFont Synth"
    case .equalizer: "Equaliser"
    case .delay: "Delay"
    case .reverb: "Reverb"
    case .distortion: "Distortion"
    case .timePitch: "Time and Pitch"
    case .varispeed: "Varispeed"
    }
  }

  /// The first unit that a description means, in which 0 stands for any code.
  static func find(_ wanted: AudioComponentDescription) -> UnitComponent? {
    func fits(_ wanted: OSType, _ own: OSType) -> Bool { wanted == 0 || wanted == own }
    return allCases.first {
      fits(wanted.componentType, $0.codes.type) && fits(wanted.componentSubType, $0.codes.subtype)
        && fits(wanted.componentManufacturer, kAudioUnitManufacturer_Apple)
    }
  }

  /// Creates the unit's node.
  func makeNode() -> AVAudioUnit {
    switch self {
    case .sampler: AVAudioUnitSampler()
    case .midiSynth, .dlsSynth: AVAudioUnitMIDIInstrument(audioComponentDescription: description)
    case .equalizer: AVAudioUnitEQ(numberOfBands: 16)
    case .delay: AVAudioUnitDelay()
    case .reverb: AVAudioUnitReverb()
    case .distortion: AVAudioUnitDistortion()
    case .timePitch: AVAudioUnitTimePitch()
    case .varispeed: AVAudioUnitVarispeed()
    }
  }

  /// Creates the effect of the unit, with its default values; nil if it is not an effect.
  func makeCore() -> (any EffectCore)? {
    switch self {
    case .equalizer: LiveEffect(EqualizerValues(16))
    case .delay: LiveEffect(DelayValues())
    case .reverb: LiveEffect(ReverbValues())
    case .distortion: LiveEffect(DistortionValues())
    default: nil
    }
  }
}
