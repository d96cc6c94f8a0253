// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import CCoreAudio
package import CoreAudioHandles

extension ConverterObject {
  /// Sets a property.
  ///
  /// Settings of an encoder are used from the next stream on if it was used already; a change of rate
  /// begins a new stream.
  ///
  /// - Parameters:
  ///   - id: the property.
  ///   - value: the value.
  /// - Throws: `kAudioConverterErr_PropertyNotSupported`,
  ///   `kAudioConverterErr_BadPropertySizeError`, or the parameter error for an impossible value.
  package func set(
    _ id: AudioConverterPropertyID, _ value: PropertySource
  ) throws(StatusError) {
    let old = settings
    do throws(StatusError) {
      try change(id, value)
      try apply(id)
    } catch {
      settings = old
      throw error
    }
  }

  private func change(
    _ id: AudioConverterPropertyID, _ value: PropertySource
  ) throws(StatusError) {
    switch id {
    case kAudioConverterSampleRateConverterComplexity: settings.complexity = try value.value()
    case kAudioConverterSampleRateConverterQuality: settings.rateQuality = try value.value()
    case kAudioConverterCodecQuality: settings.codecQuality = try value.value()
    case kAudioConverterPrimeMethod:
      let method: UInt32 = try value.value()
      guard method <= UInt32(kConverterPrimeMethod_None) else { throw .parameter }
      settings.primeMethod = method
    case kAudioConverterPrimeInfo:
      let info: AudioConverterPrimeInfo = try value.value()
      settings.trimmedFrameCount = Int(info.leadingFrames)
    case kAudioConverterEncodeBitRate:
      guard case .packets = output else { throw Self.notSupported }
      let rate: UInt32 = try value.value()
      settings.bitRate = rate == 0 ? nil : Int(rate)
    case kAudioConverterPropertyBitDepthHint:
      let bits: UInt32 = try value.value()
      guard bits <= 32 else { throw .parameter }
      settings.bitDepthHint = bits == 0 ? nil : Int(bits)
    case kAudioConverterPropertyDithering:
      let algorithm: UInt32 = try value.value()
      settings.dither = algorithm == 0 ? .none : .triangular
    case kAudioConverterPropertyDitherBitDepth:
      let bits: UInt32 = try value.value()
      guard bits <= 32 else { throw .parameter }
      settings.ditherBits = bits < 2 ? nil : Int(bits)
    default: try changeChannels(id, value)
    }
  }

  private func changeChannels(
    _ id: AudioConverterPropertyID, _ value: PropertySource
  ) throws(StatusError) {
    switch id {
    case kAudioConverterChannelMap:
      let map = value.list(of: Int32.self)
      guard map.count == Int(target.mChannelsPerFrame), value.count == 4 * map.count else {
        throw StatusError(kAudioConverterErr_BadPropertySizeError)
      }
      guard map.allSatisfy({ $0 >= -1 && $0 < Int32(source.mChannelsPerFrame) }) else {
        throw .parameter
      }
      settings.channelMap = map
    case kAudioConverterInputChannelLayout:
      settings.inputLayout = try layout(value, source.mChannelsPerFrame)
    case kAudioConverterOutputChannelLayout:
      settings.outputLayout = try layout(value, target.mChannelsPerFrame)
    case kAudioConverterDecompressionMagicCookie:
      guard case .packets = input else { throw Self.notSupported }
      settings.decompressionCookie = value.list(of: UInt8.self)
    default: throw Self.notSupported
    }
  }

  private static var notSupported: StatusError {
    StatusError(kAudioConverterErr_PropertyNotSupported)
  }

  private func layout(
    _ value: PropertySource, _ count: UInt32
  ) throws(StatusError) -> ChannelLabels {
    let labels = try value.channels()
    guard labels.labels.count == Int(count) else { throw .parameter }
    return labels
  }

  /// Uses what has changed.
  private func apply(_ id: AudioConverterPropertyID) throws(StatusError) {
    guard !isFilling else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    switch id {
    case kAudioConverterCodecQuality: return
    case kAudioConverterDecompressionMagicCookie:
      decoder = nil
      _ = try openDecoder()
    case kAudioConverterEncodeBitRate, kAudioConverterPropertyBitDepthHint,
      kAudioConverterOutputChannelLayout:
      if case .packets(let encoding) = output, encoding.isUnused { try renewEncoding() }
      if id == kAudioConverterOutputChannelLayout { try begin() }
    case kAudioConverterPrimeInfo: untrimmed = settings.trimmedFrameCount
    default: try begin()
    }
  }
}
