// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The kinds of components in this module.
enum UnitKind: Hashable, Sendable {
  case instrument
  case mixer
  /// An output: on a device, or one that the program renders.
  case output(onDevice: Bool)
  /// A unit that passes its input through unchanged.
  case through

  /// The components, with their names.
  static let all: [(type: OSType, subtype: OSType, kind: UnitKind, name: String)] = [
    (kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth, .instrument, "SoundFont Synth"),
    (kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth, .instrument, "SoundFont MIDI Synth"),
    (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler, .instrument, "SoundFont Sampler"),
    (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, .mixer, "Multichannel Mixer"),
    (kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer, .mixer, "Matrix Mixer"),
    (kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer, .mixer, "Stereo Mixer"),
    (kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor, .through, "Through"),
    (kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter, .through, "Converter"),
    (
      kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, .output(onDevice: false),
      "Generic Output"
    ),
    (
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, .output(onDevice: true),
      "Default Output"
    ),
    (
      kAudioUnitType_Output, kAudioUnitSubType_SystemOutput, .output(onDevice: true),
      "System Output"
    ),
    (kAudioUnitType_Output, kAudioUnitSubType_HALOutput, .output(onDevice: true), "Device Output"),
    (kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, .output(onDevice: true), "Remote Output"),
  ]

  /// The index of the first component, from `start` on, that matches a description.
  static func place(_ wanted: AudioComponentDescription, from start: Int) -> Int? {
    guard start < all.count else { return nil }
    func fits(_ wanted: OSType, _ own: OSType) -> Bool { wanted == 0 || wanted == own }
    return all[start...].firstIndex {
      fits(wanted.componentType, $0.type) && fits(wanted.componentSubType, $0.subtype)
        && fits(wanted.componentManufacturer, kAudioUnitManufacturer_Apple)
    }
  }

  /// The description of a component.
  static func description(at place: Int) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: all[place].type, componentSubType: all[place].subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }
}
