internal import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Synchronization

extension UnitObject {
  /// The initial value of a parameter.
  ///
  /// - Throws: `InvalidParameter` if the unit does not have the parameter; `InvalidElement`.
  func initialValue(of place: ParameterPlace) throws(StatusError) -> Float {
    switch kind {
    case .instrument:
      guard place.id <= kMusicDeviceParam_ReverbVolume || place.scope == kAudioUnitScope_Group
      else { throw StatusError(kAudioUnitErr_InvalidParameter) }
      return 0
    case .mixer:
      let inputs = state.withLock(\.inputCount)
      if place.scope == kAudioUnitScope_Input, place.element >= inputs {
        throw StatusError(kAudioUnitErr_InvalidElement)
      }
      let isStereoMixer = description.componentSubType == kAudioUnitSubType_StereoMixer
      switch place.id {
      case kMultiChannelMixerParam_Volume: return 1
      case 1: return isStereoMixer ? 0.5 : 1
      case kMultiChannelMixerParam_Pan where !isStereoMixer: return 0
      default: throw StatusError(kAudioUnitErr_InvalidParameter)
      }
    case .output:
      guard place.id == kHALOutputParam_Volume else {
        throw StatusError(kAudioUnitErr_InvalidParameter)
      }
      return 1
    case .through: return 0
    }
  }

  /// Limits a value to the range of its parameter; volumes that are factors are not limited.
  func bounded(_ value: Float, at place: ParameterPlace) -> Float {
    let bounds: ClosedRange<Float>
    switch (kind, place.scope, place.id) {
    case (.instrument, kAudioUnitScope_Group, _): return value
    case (.instrument, _, kMusicDeviceParam_Tuning): bounds = -1200...1200
    case (.instrument, _, _): bounds = -120...40
    case (.mixer, _, kStereoMixerParam_Pan)
    where description.componentSubType == kAudioUnitSubType_StereoMixer:
      bounds = 0...1
    case (.mixer, _, kMultiChannelMixerParam_Pan): bounds = -1...1
    default: return value
    }
    return min(bounds.upperBound, max(bounds.lowerBound, value))
  }
}
