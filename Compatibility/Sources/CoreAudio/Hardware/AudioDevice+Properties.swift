// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes

extension AudioDevice {
  /// Its identifier.
  var identifier: AudioObjectID { HardwareTable.identifier(of: name) }

  /// Its streams in a scope: output first.
  func streams(_ scope: AudioObjectPropertyScope) -> [HardwareStream] {
    let wanted: [Direction] =
      switch scope {
      case kAudioObjectPropertyScopeOutput: [.playback]
      case kAudioObjectPropertyScopeInput: [.capture]
      default: [.playback, .capture]
      }
    return wanted.filter(directions.contains).map { HardwareStream(device: self, direction: $0) }
  }

  /// The value of a property; nil if a device does not have it.
  ///
  /// - Throws: `HardwareError` if the device cannot be opened.
  func value(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
  ) throws(HardwareError) -> HardwareValue? {
    switch selector {
    case kAudioObjectPropertyClass: .one(kAudioDeviceClassID)
    case kAudioObjectPropertyBaseClass: .one(kAudioObjectClassID)
    case kAudioObjectPropertyOwner: .one(AudioObjectID(kAudioObjectSystemObject))
    case kAudioObjectPropertyName: .text(title)
    case kAudioDevicePropertyDeviceName: .list(Array(title.utf8) + [0], element: 1)
    case kAudioObjectPropertyManufacturer: .text("ALSA")
    case kAudioDevicePropertyDeviceUID, kAudioDevicePropertyModelUID: .text(name)
    case kAudioDevicePropertyTransportType: .one(transport)
    case kAudioDevicePropertyRelatedDevices: .many([identifier])
    case kAudioDevicePropertyStreams, kAudioObjectPropertyOwnedObjects:
      .many(streams(scope).map(\.identifier))
    case kAudioDevicePropertyIsHidden, kAudioDevicePropertyClockDomain,
      kAudioDevicePropertySafetyOffset:
      .one(UInt32(0))
    case kAudioDevicePropertyPreferredChannelsForStereo: .many([UInt32(1), 2])
    default:
      if let state = stateValue(selector, scope) { state } else { try formatValue(selector, scope) }
    }
  }

  private var title: String { description.isEmpty ? name : description }

  /// The value of a property of its present state.
  private func stateValue(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
  ) -> HardwareValue? {
    let streams = streams(scope)
    return switch selector {
    case kAudioDevicePropertyDeviceIsAlive: .one(UInt32(1))
    case kAudioDevicePropertyDeviceIsRunning:
      .one(UInt32(streams.contains { $0.running != nil } ? 1 : 0))
    case kAudioDevicePropertyDeviceIsRunningSomewhere:
      .one(UInt32(streams.contains { $0.running != nil || isBusy($0.direction) } ? 1 : 0))
    case kAudioDevicePropertyDeviceCanBeDefaultDevice: .one(UInt32(streams.isEmpty ? 0 : 1))
    case kAudioDevicePropertyDeviceCanBeDefaultSystemDevice:
      .one(UInt32(streams.first?.direction == .playback ? 1 : 0))
    case kAudioDevicePropertyLatency: .one(UInt32(streams.first?.latency ?? 0))
    case kAudioDevicePropertyBufferFrameSize:
      .one(UInt32(HardwareChoice(device: name).periodFrames))
    default: nil
    }
  }

  /// The value of a property for which the device is opened.
  private func formatValue(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
  ) throws(HardwareError) -> HardwareValue? {
    if selector == kAudioDevicePropertyStreamConfiguration {
      return .whole(try configuration(scope))
    }
    guard let stream = streams(scope).first else { return nil }
    return switch selector {
    case kAudioDevicePropertyStreamFormat: .one(try stream.format(at: try stream.nominalRate))
    case kAudioDevicePropertyNominalSampleRate: .one(try stream.nominalRate)
    case kAudioDevicePropertyActualSampleRate: .one(try stream.measuredRate)
    case kAudioDevicePropertyAvailableNominalSampleRates: .many(try stream.rates)
    case kAudioDevicePropertyPreferredChannelLayout: .one(try stream.layout)
    case kAudioDevicePropertyBufferFrameSizeRange:
      .one(
        AudioValueRange(
          mMinimum: Double(try stream.periodFrames.lowerBound),
          mMaximum: Double(try stream.periodFrames.upperBound)))
    default: nil
    }
  }

  /// The bytes of an `AudioBufferList` without data: a buffer for each stream of a direction.
  ///
  /// - Throws: `HardwareError` if the device cannot be opened.
  private func configuration(_ scope: AudioObjectPropertyScope) throws(HardwareError) -> [UInt8] {
    guard let stream = streams(scope).first else { return [UInt8](repeating: 0, count: 8) }
    var words: [UInt32] = [1, 0, 0, 0, 0, 0]
    words[2] = UInt32(try stream.channelCount)
    return unsafe words.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Tests if another program uses the device and does not share it.
  private func isBusy(_ direction: Direction) -> Bool {
    do {
      _ = try capabilities(direction)
      return false
    } catch {
      return error == .busy(name)
    }
  }

  private var transport: UInt32 {
    switch bus {
    case .pci: kAudioDeviceTransportTypePCI
    case .usb: kAudioDeviceTransportTypeUSB
    case .fireWire: kAudioDeviceTransportTypeFireWire
    case .bluetooth: kAudioDeviceTransportTypeBluetooth
    case .hdmi: kAudioDeviceTransportTypeHDMI
    case .builtIn: kAudioDeviceTransportTypeBuiltIn
    case .none: kAudioDeviceTransportTypeVirtual
    case .unknown: kAudioDeviceTransportTypeUnknown
    }
  }
}

extension HardwareStream {
  /// The layout of its channels: mono, stereo or in the device's order.
  var layout: AudioChannelLayout {
    get throws(HardwareError) {
      let tag: AudioChannelLayoutTag =
        switch try channelCount {
        case 1: kAudioChannelLayoutTag_Mono
        case 2: kAudioChannelLayoutTag_Stereo
        case let count: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(count)
        }
      var layout = AudioChannelLayout()
      layout.mChannelLayoutTag = tag
      return layout
    }
  }
}
