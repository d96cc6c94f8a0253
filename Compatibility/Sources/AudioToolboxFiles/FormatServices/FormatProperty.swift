// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import MusicalTime

/// The properties of formats.
enum FormatProperty {
  /// The value of a property.
  enum Value {
    case bytes([UInt8])
    /// Elements of a size.
    case list([UInt8], element: Int)
    case text(String)

    init<Element: BitwiseCopyable>(_ list: [Element]) {
      self = .list(
        unsafe list.withUnsafeBytes { unsafe Array($0) }, element: MemoryLayout<Element>.stride)
    }

    /// The number of bytes in a program's memory.
    var byteCount: Int {
      switch self {
      case .bytes(let bytes), .list(let bytes, _): bytes.count
      case .text: MemoryLayout<UInt>.size
      }
    }
  }

  /// True for properties whose value is a list of any length.
  static func isList(_ id: AudioFormatPropertyID) -> Bool {
    [
      kAudioFormatProperty_EncodeFormatIDs, kAudioFormatProperty_DecodeFormatIDs,
      kAudioFormatProperty_FormatList, kAudioFormatProperty_Encoders,
      kAudioFormatProperty_Decoders, kAudioFormatProperty_AvailableEncodeBitRates,
      kAudioFormatProperty_AvailableEncodeSampleRates,
      kAudioFormatProperty_AvailableEncodeChannelLayoutTags,
      kAudioFormatProperty_AvailableEncodeNumberChannels,
      kAudioFormatProperty_TagsForNumberOfChannels, kAudioFormatProperty_HardwareCodecCapabilities,
    ].contains(id)
  }

  /// The value of a property.
  ///
  /// - Throws: `kAudioFormatUnsupportedPropertyError`, or a code for the specifier.
  static func value(
    _ id: AudioFormatPropertyID, _ specifier: FormatSpecifier
  ) throws(StatusError) -> Value {
    if let value = try ofFormat(id, specifier) { return value }
    if let value = try ofCodecs(id, specifier) { return value }
    if let value = try LayoutProperty.value(id, specifier) { return value }
    throw StatusError(kAudioFormatUnsupportedPropertyError)
  }

  private static func ofFormat(
    _ id: AudioFormatPropertyID, _ specifier: FormatSpecifier
  ) throws(StatusError) -> Value? {
    switch id {
    case kAudioFormatProperty_FormatName: return .text(FormatNames.name(of: try specifier.value()))
    case kAudioFormatProperty_FormatList: return Value(try formatList(specifier))
    case kAudioFormatProperty_FirstPlayableFormatFromList:
      let items: [AudioFormatListItem] = try specifier.list()
      guard let index = items.firstIndex(where: { isDecoded($0.mASBD) }) else {
        throw StatusError(kAudioFormatUnsupportedDataFormatError)
      }
      return Value([UInt32(index)])
    case kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatIsExternallyFramed:
      let description: AudioStreamBasicDescription = try specifier.value()
      return Value([description.completed.needsPacketDescriptions ? UInt32(1) : 0])
    case kAudioFormatProperty_FormatEmploysDependentPackets:
      let description: AudioStreamBasicDescription = try specifier.value()
      return Value([dependent.contains(description.mFormatID) ? UInt32(1) : 0])
    case kAudioFormatProperty_FormatIsEncrypted: return Value([UInt32(0)])
    case kAudioFormatProperty_ASBDFromESDS: return Value([try layer(specifier.bytes).mASBD])
    case kAudioFormatProperty_ChannelLayoutFromESDS:
      let tag = try layer(specifier.bytes).mChannelLayoutTag
      return ChannelLabels(tag: tag).map { .bytes($0.bytes) }
    case kAudioFormatProperty_ID3TagSize: return Value([try tagSize(specifier.bytes)])
    default: return nil
    }
  }

  /// Formats whose packets are decoded with those before them.
  private static let dependent: Set<AudioFormatID> = [
    kAudioFormatMPEGD_USAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
    kAudioFormatMPEGLayer3, kAudioFormatOpus,
  ]

  private static func isDecoded(_ description: AudioStreamBasicDescription) -> Bool {
    description.mFormatID == kAudioFormatLinearPCM
      || CodecFormats.decoded.contains(description.mFormatID)
  }

  private static func formatList(
    _ specifier: FormatSpecifier
  ) throws(StatusError) -> [AudioFormatListItem] {
    let (description, cookie) = try specifier.formatAndCookie()
    let layer = try completed(description, cookie: cookie).layer
    guard let layer else { throw StatusError(kAudioFormatUnsupportedDataFormatError) }
    return FormatList.items(layer, cookie: cookie, bits: description.losslessBits)
  }

  /// The richest format of an elementary stream descriptor of AAC.
  private static func layer(_ bytes: [UInt8]) throws(StatusError) -> AudioFormatListItem {
    guard let layer = MagicCookie.audioSpecificConfig(bytes)?.layers.first else {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
    return FormatList.item(layer, bits: nil)
  }

  /// The bytes of an ID3 tag with its head, which is given.
  ///
  /// Source: ID3 tag version 2.4.0, section 3.1.
  private static func tagSize(_ bytes: [UInt8]) throws(StatusError) -> UInt32 {
    guard bytes.count >= 10, bytes.starts(with: Array("ID3".utf8)) else {
      throw StatusError(kAudioFormatBadSpecifierSizeError)
    }
    let size = bytes[6..<10].reduce(UInt32(0)) { $0 << 7 | UInt32($1 & 0x7F) }
    return size + 10 + (bytes[5] & 0x10 != 0 ? 10 : 0)
  }

  /// A description with the values that follow from its format, or from a magic cookie.
  ///
  /// - Throws: `kAudioFormatUnknownFormatError` without an id that is known.
  static func completed(
    _ description: AudioStreamBasicDescription, cookie: [UInt8]
  ) throws(StatusError) -> AudioStreamBasicDescription {
    guard isDecoded(description) || CodecFormats.encoded.contains(description.mFormatID) else {
      throw StatusError(kAudioFormatUnknownFormatError)
    }
    guard [.aac, .aacHE, .aacHEv2].contains(description.codec),
      let config = MagicCookie.audioSpecificConfig(cookie)
    else { return description.completed }
    // The id of AAC asks for the richest format, that of an extension for this one.
    let wanted = config.layers.first {
      description.codec == .aac || $0.codec == description.codec
    }
    return wanted.map { AudioStreamBasicDescription($0) } ?? description.completed
  }
}

extension FormatProperty {
  private static func ofCodecs(
    _ id: AudioFormatPropertyID, _ specifier: FormatSpecifier
  ) throws(StatusError) -> Value? {
    switch id {
    case kAudioFormatProperty_EncodeFormatIDs:
      return Value([kAudioFormatLinearPCM] + CodecFormats.encoded)
    case kAudioFormatProperty_DecodeFormatIDs:
      return Value([kAudioFormatLinearPCM] + CodecFormats.decoded)
    case kAudioFormatProperty_Encoders:
      return Value(classes(try specifier.value(), kAudioEncoderComponentType, CodecFormats.encoded))
    case kAudioFormatProperty_Decoders:
      return Value(classes(try specifier.value(), kAudioDecoderComponentType, CodecFormats.decoded))
    case kAudioFormatProperty_AvailableEncodeBitRates:
      return Value(ranges(CodecFormats.bitRates(try specifier.value(), channelCount: 1)))
    case kAudioFormatProperty_AvailableEncodeSampleRates:
      return Value(ranges(CodecFormats.rates(try specifier.value()) ?? []))
    case kAudioFormatProperty_AvailableEncodeChannelLayoutTags:
      return Value(
        CodecFormats.channelCounts(try formatID(specifier)).compactMap {
          ChannelLabels(.usual(channelCount: $0)).tag
        })
    case kAudioFormatProperty_AvailableEncodeNumberChannels:
      return Value(CodecFormats.channelCounts(try formatID(specifier)).map { UInt32($0) })
    case kAudioFormatProperty_HardwareCodecCapabilities:
      let _: [AudioClassDescription] = try specifier.list()
      return Value([UInt32(0)])
    default: return nil
    }
  }

  /// The id in a description or alone.
  private static func formatID(_ specifier: FormatSpecifier) throws(StatusError) -> AudioFormatID {
    if specifier.bytes.count == 4 { return try specifier.value() }
    return try specifier.value(AudioStreamBasicDescription.self).mFormatID
  }

  private static func classes(
    _ format: AudioFormatID, _ type: OSType, _ formats: [AudioFormatID]
  ) -> [AudioClassDescription] {
    guard formats.contains(format) else { return [] }
    return [
      AudioClassDescription(
        mType: type, mSubType: format, mManufacturer: kAppleSoftwareAudioCodecManufacturer)
    ]
  }

  private static func ranges(_ values: [Int]) -> [AudioValueRange] {
    values.map { AudioValueRange(mMinimum: Double($0), mMaximum: Double($0)) }
  }
}
