// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

extension UnitObject {
  /// What a parameter is at first.
  ///
  /// - Throws: `InvalidParameter` where the unit has none of the number, `InvalidElement`.
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
}
