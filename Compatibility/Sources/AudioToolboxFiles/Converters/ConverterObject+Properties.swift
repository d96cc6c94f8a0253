// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import CCoreAudio
package import CoreAudioHandles
internal import CoreAudioTypes

extension ConverterObject {
  /// The size of a property's value and if it can be set.
  ///
  /// - Parameter id: the property.
  /// - Returns: the number of bytes, and true if it can be set.
  /// - Throws: `kAudioConverterErr_PropertyNotSupported`.
  package func info(
    of id: AudioConverterPropertyID
  ) throws(StatusError) -> (size: Int, isWritable: Bool) {
    let value = try value(of: id)
    return (value.count, Self.writable.contains(id))
  }

  private static let writable: Set<AudioConverterPropertyID> = [
    kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterQuality,
    kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterPrimeInfo,
    kAudioConverterChannelMap, kAudioConverterDecompressionMagicCookie,
    kAudioConverterEncodeBitRate, kAudioConverterInputChannelLayout,
    kAudioConverterOutputChannelLayout, kAudioConverterPropertyBitDepthHint,
    kAudioConverterPropertyDithering, kAudioConverterPropertyDitherBitDepth,
  ]

  /// Stores the value of a property.
  ///
  /// - Parameters:
  ///   - id: the property.
  ///   - target: the program's memory.
  ///   - given: for the two sizes of buffers, the size of the other buffer.
  /// - Throws: `kAudioConverterErr_PropertyNotSupported`,
  ///   `kAudioConverterErr_BadPropertySizeError`.
  package func get(
    _ id: AudioConverterPropertyID, _ target: PropertyTarget, given: UInt32
  ) throws(StatusError) {
    switch id {
    case kAudioConverterPropertyCalculateInputBufferSize:
      try target.put(inputSize(forOutput: Int(given)))
    case kAudioConverterPropertyCalculateOutputBufferSize:
      try target.put(outputSize(forInput: Int(given)))
    default: try target.put(bytes: value(of: id))
    }
  }

  /// The bytes of a property's value.
  private func value(of id: AudioConverterPropertyID) throws(StatusError) -> [UInt8] {
    if let number = number(of: id) { return Self.bytes([number]) }
    switch id {
    case kAudioConverterPrimeInfo: return Self.bytes([primeInfo])
    case kAudioConverterCurrentInputStreamDescription: return Self.bytes([source])
    case kAudioConverterCurrentOutputStreamDescription: return Self.bytes([target])
    case kAudioConverterChannelMap: return Self.bytes(channelMap)
    case kAudioConverterCompressionMagicCookie:
      guard case .packets(let encoding) = output else { break }
      return MagicCookie.coreAudioCookie(encoding.magicCookie, for: target.codec)
    case kAudioConverterDecompressionMagicCookie:
      guard case .packets = input else { break }
      return settings.decompressionCookie
    case kAudioConverterInputChannelLayout:
      return labels(settings.inputLayout, source.mChannelsPerFrame).bytes
    case kAudioConverterOutputChannelLayout:
      return labels(settings.outputLayout, target.mChannelsPerFrame).bytes
    case kAudioConverterPropertyFormatList: return try formatList()
    default: if let list = encoderList(id) { return list }
    }
    throw StatusError(kAudioConverterErr_PropertyNotSupported)
  }

  private static func bytes<Value: BitwiseCopyable>(_ list: [Value]) -> [UInt8] {
    unsafe list.withUnsafeBytes { unsafe Array($0) }
  }

  private func number(of id: AudioConverterPropertyID) -> UInt32? {
    switch id {
    case kAudioConverterPropertyMinimumInputBufferSize,
      kAudioConverterPropertyMaximumInputPacketSize:
      UInt32(CodecFormats.largestPacket(source))
    case kAudioConverterPropertyMinimumOutputBufferSize,
      kAudioConverterPropertyMaximumOutputPacketSize:
      UInt32(CodecFormats.largestPacket(target))
    // Their values depend on the size that the program gives.
    case kAudioConverterPropertyCalculateInputBufferSize,
      kAudioConverterPropertyCalculateOutputBufferSize:
      0
    case kAudioConverterSampleRateConverterComplexity: settings.complexity
    case kAudioConverterSampleRateConverterQuality: settings.rateQuality
    case kAudioConverterCodecQuality: settings.codecQuality
    case kAudioConverterPrimeMethod: settings.primeMethod
    case kAudioConverterEncodeBitRate: bitRate
    case kAudioConverterPropertyBitDepthHint: UInt32(settings.bitDepthHint ?? ownBits)
    case kAudioConverterPropertyDithering:
      settings.dither == .none ? 0 : UInt32(kDitherAlgorithm_TPDF)
    case kAudioConverterPropertyDitherBitDepth: UInt32(settings.ditherBits ?? 0)
    default: nil
    }
  }

  /// The bits of the samples that go in.
  private var ownBits: Int {
    if case .samples(let samples) = input { return samples.form.layout.bits }
    return source.losslessBits ?? 16
  }

  private var bitRate: UInt32? {
    guard case .packets = output,
      !CodecFormats.bitRates(target.mFormatID, channelCount: 1).isEmpty
    else { return nil }
    let channels = Int(target.mChannelsPerFrame)
    let usual =
      target.mFormatID == kAudioFormatMPEGLayer3
      ? 192_000 : 64_000 * min(2, channels) + 48_000 * max(0, channels - 2)
    return UInt32(clamping: settings.bitRate ?? usual)
  }

  private var primeInfo: AudioConverterPrimeInfo {
    if case .packets(let encoding) = output { return encoding.primeInfo }
    guard case .samples(let samples) = input, case .samples(let form) = output else {
      return AudioConverterPrimeInfo(
        leadingFrames: UInt32(clamping: settings.trimmedFrameCount), trailingFrames: 0)
    }
    let frames = UInt32(
      clamping: FrameConversion.leadingFrameCount(from: samples.form.rate, to: form.rate))
    return AudioConverterPrimeInfo(leadingFrames: frames, trailingFrames: frames)
  }

  private var channelMap: [Int32] {
    settings.channelMap
      ?? (0..<Int32(target.mChannelsPerFrame)).map {
        $0 < source.mChannelsPerFrame ? $0 : source.mChannelsPerFrame == 1 && $0 == 1 ? 0 : -1
      }
  }

  private func labels(_ labels: ChannelLabels?, _ count: UInt32) -> ChannelLabels {
    labels ?? ChannelLabels(.usual(channelCount: Int(count)))
  }

  private func formatList() throws(StatusError) -> [UInt8] {
    guard case .packets = input, let layer = source.layer else {
      throw StatusError(kAudioConverterErr_PropertyNotSupported)
    }
    return Self.bytes(
      FormatList.items(layer, cookie: settings.decompressionCookie, bits: source.losslessBits))
  }

  private func encoderList(_ id: AudioConverterPropertyID) -> [UInt8]? {
    guard case .packets = output else { return nil }
    switch id {
    case kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeBitRates:
      let rates = CodecFormats.bitRates(
        target.mFormatID, channelCount: Int(target.mChannelsPerFrame))
      return Self.bytes(rates.map { AudioValueRange(mMinimum: Double($0), mMaximum: Double($0)) })
    case kAudioConverterApplicableEncodeSampleRates, kAudioConverterAvailableEncodeSampleRates:
      let rates = CodecFormats.rates(target.mFormatID) ?? []
      return Self.bytes(
        rates.isEmpty
          ? [AudioValueRange(mMinimum: 1, mMaximum: 384_000)]
          : rates.map { AudioValueRange(mMinimum: Double($0), mMaximum: Double($0)) })
    case kAudioConverterAvailableEncodeChannelLayoutTags:
      let tags = CodecFormats.channelCounts(target.mFormatID).compactMap {
        ChannelLabels(.usual(channelCount: $0)).tag
      }
      return Self.bytes(tags)
    default: return nil
    }
  }

  /// The bytes of input that give a number of bytes of output.
  private func inputSize(forOutput size: Int) -> UInt32 {
    let packets = size / max(1, CodecFormats.largestPacket(target))
    let frames = Double(packets) * Double(max(1, target.mFramesPerPacket)) / ratio
    let count = (frames / Double(max(1, source.mFramesPerPacket))).rounded(.up)
    return Self.size(count, CodecFormats.largestPacket(source))
  }

  /// The bytes of output that a number of bytes of input gives at most.
  private func outputSize(forInput size: Int) -> UInt32 {
    let packets = size / max(1, CodecFormats.largestPacket(source))
    let frames = Double(packets) * Double(max(1, source.mFramesPerPacket)) * ratio
    let count = (frames / Double(max(1, target.mFramesPerPacket))).rounded(.up)
    return Self.size(count, CodecFormats.largestPacket(target))
  }

  private static func size(_ packets: Double, _ bytes: Int) -> UInt32 {
    let size = packets * Double(bytes)
    return size < Double(UInt32.max) ? UInt32(size) : .max
  }

  /// Frames of the output per frame of the input.
  private var ratio: Double { target.mSampleRate / source.mSampleRate }
}
