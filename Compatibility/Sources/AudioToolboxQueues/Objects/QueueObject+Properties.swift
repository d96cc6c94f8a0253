// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CCoreAudio
internal import CoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import CoreFoundation
internal import MusicalTime
internal import Synchronization

extension QueueObject {
  /// The bytes of a property; an object is not retained yet.
  enum Value {
    case number(UInt32)
    case rate(Double)
    case format(AudioStreamBasicDescription)
    case bytes([UInt8])
    case levels([AudioQueueLevelMeterState])
    case text(String)

    /// The number of bytes.
    var count: Int {
      switch self {
      case .number: 4
      case .rate: 8
      case .format: MemoryLayout<AudioStreamBasicDescription>.size
      case .bytes(let bytes): bytes.count
      case .levels(let levels): levels.count * MemoryLayout<AudioQueueLevelMeterState>.stride
      case .text: MemoryLayout<UInt>.size
      }
    }
  }

  /// The value of a property.
  ///
  /// - Throws: `kAudioQueueErr_InvalidProperty`.
  func value(of property: AudioQueuePropertyID) throws(StatusError) -> Value {
    let core = core.withLock { (isRunning: $0.isRunning, error: $0.converterError, $0.settings) }
    let settings = core.2
    switch property {
    case kAudioQueueProperty_IsRunning: return .number(core.isRunning ? 1 : 0)
    case kAudioQueueDeviceProperty_SampleRate: return .rate(Double(rate.hertz))
    case kAudioQueueDeviceProperty_NumberChannels: return .number(UInt32(channelCount))
    case kAudioQueueProperty_CurrentDevice:
      let standard = HardwareChoice(self is InputQueue ? .capture : .playback)
      return .text(settings.device ?? standard.device)
    case kAudioQueueProperty_MagicCookie, kAudioConverterCompressionMagicCookie,
      kAudioConverterDecompressionMagicCookie:
      return .bytes(try cookie(settings))
    case kAudioQueueProperty_MaximumOutputPacketSize: return .number(try largestPacket())
    case kAudioQueueProperty_StreamDescription: return .format(try streamFormat())
    case kAudioConverterCurrentInputStreamDescription:
      return .format(try self is InputQueue ? clientFormat() : streamFormat())
    case kAudioConverterCurrentOutputStreamDescription:
      return .format(try self is InputQueue ? streamFormat() : clientFormat())
    case kAudioQueueProperty_ChannelLayout: return .bytes(layout(settings))
    case kAudioQueueProperty_EnableLevelMetering: return .number(settings.isMetering ? 1 : 0)
    case kAudioQueueProperty_CurrentLevelMeter: return .levels(levels(settings, inDecibels: false))
    case kAudioQueueProperty_CurrentLevelMeterDB: return .levels(levels(settings, inDecibels: true))
    case kAudioQueueProperty_DecodeBufferSizeFrames: return .number(settings.decodeFrames)
    case kAudioQueueProperty_ConverterError: return .number(UInt32(bitPattern: core.error))
    case kAudioQueueProperty_EnableTimePitch: return .number(settings.hasTimePitch ? 1 : 0)
    case kAudioQueueProperty_TimePitchAlgorithm: return .number(settings.timePitchAlgorithm)
    case kAudioQueueProperty_TimePitchBypass: return .number(settings.bypassesTimePitch ? 1 : 0)
    case kAudioQueueProperty_HardwareCodecPolicy: return .number(settings.codecPolicy)
    case kAudioConverterEncodeBitRate where self is InputQueue: return .number(settings.bitRate)
    default: throw StatusError(kAudioQueueErr_InvalidProperty)
    }
  }

  private func cookie(_ settings: QueueSettings) throws(StatusError) -> [UInt8] {
    guard let input = self as? InputQueue else { return settings.cookie }
    return MagicCookie.coreAudioCookie(try input.encoderCookie, for: format.codec)
  }

  /// The format, with what the codec adds.
  private func streamFormat() throws(StatusError) -> AudioStreamBasicDescription {
    var format = format
    if let input = self as? InputQueue, let frames = try input.framesPerPacket {
      format.mFramesPerPacket = UInt32(clamping: frames)
    }
    return format
  }

  /// The samples on the device's side.
  private func clientFormat() throws(StatusError) -> AudioStreamBasicDescription {
    PCMForm(.float32, rate: rate, channelCount: channelCount).description
  }

  /// The largest number of bytes of a packet.
  private func largestPacket() throws(StatusError) -> UInt32 {
    let format = try streamFormat()
    guard format.mBytesPerPacket == 0 else { return format.mBytesPerPacket }
    let channels = format.mChannelsPerFrame
    return switch format.mFormatID {
    // ISO/IEC 14496-3: 6144 bits per channel.
    case kAudioFormatMPEG4AAC: 768 * channels
    // ISO/IEC 11172-3: 320 kbit/s at 32 kHz, or free format.
    case kAudioFormatMPEGLayer3: 2048
    default: min(1 << 20, max(1, format.mFramesPerPacket)) * 4 * channels + 64
    }
  }

  private func layout(_ settings: QueueSettings) -> [UInt8] {
    guard settings.layout.isEmpty else { return settings.layout }
    let tag: AudioChannelLayoutTag =
      switch channelCount {
      case 1: kAudioChannelLayoutTag_Mono
      case 2: kAudioChannelLayoutTag_Stereo
      default: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channelCount)
      }
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    return unsafe withUnsafeBytes(of: layout) { unsafe Array($0) }
  }

  private func levels(
    _ settings: QueueSettings, inDecibels: Bool
  ) -> [AudioQueueLevelMeterState] {
    (0..<channelCount).map { channel in
      let level = settings.isMetering ? level(of: channel) : (average: 0, peak: 0)
      guard inDecibels else {
        return AudioQueueLevelMeterState(mAveragePower: level.average, mPeakPower: level.peak)
      }
      return AudioQueueLevelMeterState(
        mAveragePower: Self.decibels(level.average), mPeakPower: Self.decibels(level.peak))
    }
  }

  /// Decibels of full scale, −120 and above.
  private static func decibels(_ level: Float) -> Float {
    level > 1e-6 ? Level.decibels(level) : -120
  }
}

// Setting.
extension QueueObject {
  /// Sets a property.
  func set(_ property: AudioQueuePropertyID, _ source: PropertySource) throws(StatusError) {
    let old = core.withLock(\.settings)
    var new = old
    try change(&new, property, source)
    core.withLock { $0.settings = new }
    do throws(StatusError) {
      try apply(property)
    } catch {
      core.withLock { $0.settings = old }
      throw error
    }
    if property == kAudioQueueProperty_CurrentDevice { notify(property) }
  }

  private func change(
    _ settings: inout QueueSettings, _ property: AudioQueuePropertyID, _ source: PropertySource
  ) throws(StatusError) {
    switch property {
    case kAudioQueueProperty_CurrentDevice:
      try requireRest()
      settings.device = try source.text()
    case kAudioQueueProperty_MagicCookie, kAudioConverterDecompressionMagicCookie:
      guard self is OutputQueue else { throw StatusError(kAudioQueueErr_InvalidQueueType) }
      settings.cookie = source.list(of: UInt8.self)
    case kAudioQueueProperty_ChannelLayout:
      let channels = try source.channels()
      guard channels.labels.count == channelCount else {
        throw StatusError(kAudioQueueErr_InvalidPropertyValue)
      }
      settings.layout = source.list(of: UInt8.self)
    case kAudioQueueProperty_EnableLevelMetering:
      settings.isMetering = try source.value(as: UInt32.self) != 0
    case kAudioQueueProperty_DecodeBufferSizeFrames:
      settings.decodeFrames = try source.value()
    case kAudioQueueProperty_HardwareCodecPolicy:
      let policy: UInt32 = try source.value()
      guard policy <= kAudioQueueHardwareCodecPolicy_PreferHardware else {
        throw StatusError(kAudioQueueErr_InvalidPropertyValue)
      }
      settings.codecPolicy = policy
    case kAudioConverterEncodeBitRate where self is InputQueue:
      settings.bitRate = try source.value()
    default: try changeTimePitch(&settings, property, source)
    }
  }

  private func changeTimePitch(
    _ settings: inout QueueSettings, _ property: AudioQueuePropertyID, _ source: PropertySource
  ) throws(StatusError) {
    guard self is OutputQueue else { throw StatusError(kAudioQueueErr_InvalidProperty) }
    switch property {
    case kAudioQueueProperty_EnableTimePitch:
      settings.hasTimePitch = try source.value(as: UInt32.self) != 0
    case kAudioQueueProperty_TimePitchBypass:
      settings.bypassesTimePitch = try source.value(as: UInt32.self) != 0
    case kAudioQueueProperty_TimePitchAlgorithm:
      let algorithm: UInt32 = try source.value()
      guard
        [
          kAudioQueueTimePitchAlgorithm_Spectral, kAudioQueueTimePitchAlgorithm_TimeDomain,
          kAudioQueueTimePitchAlgorithm_Varispeed,
          kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency,
        ].contains(algorithm)
      else { throw StatusError(kAudioQueueErr_InvalidPropertyValue) }
      settings.timePitchAlgorithm = algorithm
    default: throw StatusError(kAudioQueueErr_InvalidProperty)
    }
  }

  /// Refuses changes while the queue runs.
  func requireRest() throws(StatusError) {
    if core.withLock(\.isRunning) { throw StatusError(kAudioQueueErr_InvalidRunState) }
  }

  /// Sets a parameter.
  func set(_ parameter: AudioQueueParameterID, to value: Float) throws(StatusError) {
    guard value.isFinite else { throw .parameter }
    let range: ClosedRange<Float> =
      switch parameter {
      case kAudioQueueParam_Volume: 0...1
      case kAudioQueueParam_Pan: -1...1
      case kAudioQueueParam_PlayRate: 0.25...4
      case kAudioQueueParam_Pitch: -2400...2400
      case kAudioQueueParam_VolumeRampTime: 0...3600
      default: throw StatusError(kAudioQueueErr_InvalidParameter)
      }
    let held = min(range.upperBound, max(range.lowerBound, value))
    core.withLock { $0.parameters[parameter] = held }
    apply(parameter, held)
  }

  /// The value of a parameter that was set last.
  func parameter(_ parameter: AudioQueueParameterID) throws(StatusError) -> Float {
    guard let value = core.withLock({ $0.parameters[parameter] }) else {
      throw StatusError(kAudioQueueErr_InvalidParameter)
    }
    return value
  }
}
