// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The properties of the session as bytes.
enum SessionProperty {
  /// The value of a property.
  ///
  /// - Throws: `kAudioSessionUnsupportedPropertyError` for a property that cannot be read.
  static func value(of property: AudioSessionPropertyID) throws(StatusError) -> [UInt8] {
    let session = SystemSession.shared
    let settings = session.settings
    switch property {
    case kAudioSessionProperty_AudioCategory:
      let code = categories.first { $0.name == settings.category }?.code
      return bytes(code ?? kAudioSessionCategory_SoloAmbientSound)
    case kAudioSessionProperty_AudioInputAvailable: return bytes(flag(SessionPort.input != nil))
    case kAudioSessionProperty_CurrentHardwareSampleRate: return bytes(session.rate)
    case kAudioSessionProperty_PreferredHardwareSampleRate: return bytes(settings.rate)
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
      return bytes(Float32(settings.bufferSeconds))
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration:
      return bytes(Float32(session.bufferSeconds))
    case kAudioSessionProperty_CurrentHardwareOutputLatency: return bytes(Float32(session.latency))
    case kAudioSessionProperty_CurrentHardwareInputLatency: return bytes(Float32(0))
    case kAudioSessionProperty_CurrentHardwareOutputVolume: return bytes(Float32(1))
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels:
      return bytes(UInt32(SessionPort.output.channelCount))
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels:
      return bytes(UInt32(SessionPort.input?.channelCount ?? 0))
    case kAudioSessionProperty_OtherAudioIsPlaying:
      return bytes(flag(session.isOtherAudioPlaying))
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
      return bytes(flag(settings.options & 1 != 0))
    default: throw StatusError(kAudioSessionUnsupportedPropertyError)
    }
  }

  /// Sets a property.
  ///
  /// - Throws: the errors of `AudioSessionSetProperty`.
  @unsafe
  static func set(
    _ property: AudioSessionPropertyID, _ data: UnsafeRawBufferPointer
  ) throws(StatusError) {
    let session = SystemSession.shared
    switch property {
    case kAudioSessionProperty_AudioCategory:
      let code = unsafe try number(UInt32.self, data)
      guard let category = categories.first(where: { $0.code == code }) else {
        throw StatusError(kAudioSessionIncompatibleCategory)
      }
      session.set { settings in
        settings.category = category.name
        settings.options = 0
      }
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
      let mixes = unsafe try number(UInt32.self, data) != 0
      session.set { $0.options = mixes ? $0.options | 1 : $0.options & ~1 }
    case kAudioSessionProperty_PreferredHardwareSampleRate:
      let rate = try finite(unsafe number(Float64.self, data))
      session.set { $0.rate = rate }
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
      let seconds = try finite(Float64(unsafe number(Float32.self, data)))
      session.set { $0.bufferSeconds = seconds }
    default: throw StatusError(kAudioSessionUnsupportedPropertyError)
    }
  }

  private static let categories: [(code: UInt32, name: String)] = [
    (kAudioSessionCategory_AmbientSound, "AVAudioSessionCategoryAmbient"),
    (kAudioSessionCategory_SoloAmbientSound, "AVAudioSessionCategorySoloAmbient"),
    (kAudioSessionCategory_MediaPlayback, "AVAudioSessionCategoryPlayback"),
    (kAudioSessionCategory_RecordAudio, "AVAudioSessionCategoryRecord"),
    (kAudioSessionCategory_PlayAndRecord, "AVAudioSessionCategoryPlayAndRecord"),
    (kAudioSessionCategory_AudioProcessing, "AVAudioSessionCategoryAudioProcessing"),
  ]

  private static func flag(_ value: Bool) -> UInt32 { value ? 1 : 0 }

  private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  @unsafe
  private static func number<Number: BitwiseCopyable>(
    _ type: Number.Type, _ data: UnsafeRawBufferPointer
  ) throws(StatusError) -> Number {
    guard data.count == MemoryLayout<Number>.size else {
      throw StatusError(kAudioSessionBadPropertySizeError)
    }
    return unsafe data.loadUnaligned(as: type)
  }

  private static func finite(_ value: Double) throws(StatusError) -> Double {
    guard value.isFinite, value >= 0 else { throw .parameter }
    return value
  }
}
