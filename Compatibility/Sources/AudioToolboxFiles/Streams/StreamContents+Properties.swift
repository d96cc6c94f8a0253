// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes

extension StreamContents {
  /// The order in which properties are reported.
  private static let reported: [AudioFileStreamPropertyID] = [
    kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
    kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
    kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_DataOffset,
    kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
    kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_MaximumPacketSize,
    kAudioFileStreamProperty_PacketSizeUpperBound, kAudioFileStreamProperty_BitRate,
    kAudioFileStreamProperty_InfoDictionary,
  ]

  /// The properties that are known, the last of which announces packets.
  var knownProperties: [AudioFileStreamPropertyID] {
    Self.reported.filter { known($0) != nil } + [kAudioFileStreamProperty_ReadyToProducePackets]
  }

  /// The value of a property.
  ///
  /// - Throws: `kAudioFileStreamError_UnsupportedProperty`, `_DataUnavailable` before the properties
  ///   are known, `_ValueUnknown` if the stream does not state it.
  func value(
    of property: AudioFileStreamPropertyID, isReady: Bool
  ) throws(StatusError) -> AudioFileValue {
    if property == kAudioFileStreamProperty_ReadyToProducePackets {
      return AudioFileValue(UInt32(isReady ? 1 : 0))
    }
    let others = [
      kAudioFileStreamProperty_AverageBytesPerPacket,
      kAudioFileStreamProperty_RestrictsRandomAccess,
    ]
    guard Self.reported.contains(property) || others.contains(property) else {
      throw StatusError(kAudioFileStreamError_UnsupportedProperty)
    }
    guard stream.properties != nil else {
      throw StatusError(kAudioFileStreamError_DataUnavailable)
    }
    guard let value = known(property) else {
      throw StatusError(kAudioFileStreamError_ValueUnknown)
    }
    return value
  }

  private func known(_ property: AudioFileStreamPropertyID) -> AudioFileValue? {
    guard let properties = stream.properties, let format else { return nil }
    switch property {
    case kAudioFileStreamProperty_FileFormat: return type.map { AudioFileValue($0) }
    case kAudioFileStreamProperty_DataFormat: return AudioFileValue(format)
    case kAudioFileStreamProperty_FormatList: return AudioFileValue(list: formatList)
    case kAudioFileStreamProperty_MagicCookieData:
      let cookie = MagicCookie.coreAudioCookie(
        properties.magicCookie, for: properties.layers[0].codec)
      return cookie.isEmpty ? nil : .whole(cookie)
    case kAudioFileStreamProperty_ChannelLayout: return .whole(ChannelLabels(layout).bytes)
    case kAudioFileStreamProperty_DataOffset: return AudioFileValue(properties.dataOffset)
    case kAudioFileStreamProperty_AudioDataByteCount:
      guard let size = frameByteCount, let frames = packetCount else { return nil }
      let (bytes, overflows) = UInt64(max(0, frames)).multipliedReportingOverflow(by: UInt64(size))
      return overflows ? nil : AudioFileValue(bytes)
    case kAudioFileStreamProperty_AudioDataPacketCount:
      return packetCount.map { AudioFileValue(UInt64(max(0, $0))) }
    case kAudioFileStreamProperty_PacketTableInfo: return table(properties)
    case kAudioFileStreamProperty_MaximumPacketSize,
      kAudioFileStreamProperty_PacketSizeUpperBound:
      return packetSizeBound.map { AudioFileValue(UInt32(clamping: $0)) }
    case kAudioFileStreamProperty_BitRate:
      let measured = stream.bitrate.packetCount > 0 ? stream.bitrate.bitsPerSecond : nil
      let rate = properties.nominalBitrate.map { Double($0) } ?? measured
      return rate.map { AudioFileValue(bitRate: $0) }
    case kAudioFileStreamProperty_InfoDictionary: return texts
    case kAudioFileStreamProperty_AverageBytesPerPacket:
      return meanPacketSize.map { AudioFileValue($0) }
    case kAudioFileStreamProperty_RestrictsRandomAccess: return AudioFileValue(UInt32(0))
    default: return nil
    }
  }

  private var layout: ChannelLayout {
    let count = stream.properties?.layers.first?.channelCount ?? 1
    guard let samples = stream.properties?.samples else { return .usual(channelCount: count) }
    return ChannelLayout(mask: samples.channelMask, channelCount: count)
  }

  private var formatList: [AudioFormatListItem] {
    formats.map { format in
      let own = ChannelLayout.usual(channelCount: Int(format.mChannelsPerFrame))
      return AudioFormatListItem(
        mASBD: format,
        mChannelLayoutTag: ChannelLabels(own).tag
          ?? kAudioChannelLayoutTag_Unknown | format.mChannelsPerFrame)
    }
  }

  private func table(_ properties: SoundStream.Properties) -> AudioFileValue? {
    guard frameByteCount == nil, let frames = frameCount else { return nil }
    return AudioFileValue(
      AudioFilePacketTableInfo(
        mNumberValidFrames: frames, mPrimingFrames: Int32(clamping: properties.primingFrameCount),
        mRemainderFrames: Int32(clamping: properties.remainderFrameCount)))
  }

  private var texts: AudioFileValue? {
    guard !tags.isEmpty else { return nil }
    var metadata = SoundFileMetadata()
    metadata.tags = tags
    return .object(AudioFileDictionary.dictionary(metadata, seconds: nil))
  }
}

extension StreamContents {
  /// The size of the struct of a property that translates; nil for another one.
  static func translationSize(of property: AudioFileStreamPropertyID) -> Int? {
    switch property {
    case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
      MemoryLayout<AudioFramePacketTranslation>.size
    case kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
      MemoryLayout<AudioBytePacketTranslation>.size
    default: nil
    }
  }

  /// Reads a struct, and stores its translation.
  func translate(
    _ property: AudioFileStreamPropertyID, _ source: PropertySource, _ target: PropertyTarget
  ) throws(StatusError) {
    switch property {
    case kAudioFileStreamProperty_PacketToFrame:
      var value = try source.value(as: AudioFramePacketTranslation.self)
      let (frame, overflows) = value.mPacket.multipliedReportingOverflow(by: try framesPerPacket())
      guard !overflows, value.mPacket >= 0 else { throw Self.badPacket }
      value.mFrame = frame
      try target.put(value)
    case kAudioFileStreamProperty_FrameToPacket:
      var value = try source.value(as: AudioFramePacketTranslation.self)
      guard value.mFrame >= 0 else { throw Self.badPacket }
      let (packet, rest) = value.mFrame.quotientAndRemainder(dividingBy: try framesPerPacket())
      (value.mPacket, value.mFrameOffsetInPacket) = (packet, UInt32(clamping: rest))
      try target.put(value)
    case kAudioFileStreamProperty_PacketToByte:
      try target.put(try byte(of: try source.value(as: AudioBytePacketTranslation.self)))
    default: try target.put(try packet(of: try source.value(as: AudioBytePacketTranslation.self)))
    }
  }

  private static let badPacket = StatusError(kAudioFileStreamError_InvalidPacketOffset)

  private func framesPerPacket() throws(StatusError) -> Int64 {
    guard let format else { throw StatusError(kAudioFileStreamError_DataUnavailable) }
    guard format.mFramesPerPacket > 0 else {
      throw StatusError(kAudioFileStreamError_ValueUnknown)
    }
    return Int64(format.mFramesPerPacket)
  }

  private func byte(
    of given: AudioBytePacketTranslation
  ) throws(StatusError) -> AudioBytePacketTranslation {
    guard let properties = stream.properties else {
      throw StatusError(kAudioFileStreamError_DataUnavailable)
    }
    guard let place = place(ofPacket: given.mPacket) else { throw Self.badPacket }
    var value = given
    (value.mByte, value.mByteOffsetInPacket) = (place.offset - properties.dataOffset, 0)
    value.mFlags = place.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
    return value
  }

  /// The packet with a byte, by the mean size of packets unless all have the same.
  private func packet(
    of given: AudioBytePacketTranslation
  ) throws(StatusError) -> AudioBytePacketTranslation {
    guard stream.properties != nil, let size = meanPacketSize, size >= 1 else {
      throw StatusError(kAudioFileStreamError_DataUnavailable)
    }
    guard (0..<1 << 50).contains(given.mByte) else { throw Self.badPacket }
    var value = given
    let packet = (Double(given.mByte) / size).rounded(.down)
    value.mPacket = Int64(packet)
    value.mByteOffsetInPacket = UInt32(max(0, min(Double(given.mByte) - packet * size, 0x1p31)))
    value.mFlags = frameByteCount == nil ? .bytePacketTranslationFlag_IsEstimate : []
    return value
  }
}
