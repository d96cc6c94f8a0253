// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

extension AudioFileObject {
  /// The size of a property's value in bytes.
  ///
  /// - Throws: `kAudioFileUnsupportedPropertyError`.
  func size(
    of property: AudioFilePropertyID, _ content: any AudioFileContent
  ) throws(StatusError) -> Int {
    if let translation = AudioFileTranslation(property) { return translation.byteCount }
    switch property {
    // Their objects are made when they are asked for.
    case kAudioFilePropertyInfoDictionary, kAudioFilePropertyDataFormatName:
      return unsafe MemoryLayout<UnsafeRawPointer>.size
    case kAudioFilePropertyMarkerList:
      return AudioFileMarkers.byteCount(markers: metadata.markers.count)
    case kAudioFilePropertyRegionList:
      return AudioFileMarkers.byteCount(regions: metadata.allRegions.count)
    default: return try value(of: property, content).byteCount
    }
  }

  /// The value of a property.
  ///
  /// - Throws: `kAudioFileUnsupportedPropertyError`.
  func value(
    of property: AudioFilePropertyID, _ content: any AudioFileContent
  ) throws(StatusError) -> AudioFileValue {
    switch property {
    case kAudioFilePropertyDataFormatName:
      return .object(NSString(string: content.format.codec.description))
    case kAudioFilePropertyInfoDictionary:
      return .object(AudioFileDictionary.dictionary(metadata, seconds: content.seconds))
    case kAudioFilePropertyMarkerList: return .whole(AudioFileMarkers.bytes(metadata.markers))
    case kAudioFilePropertyRegionList:
      return .whole(AudioFileMarkers.bytes(regions: metadata.allRegions))
    default:
      guard let value = content.value(of: property) else {
        throw StatusError(kAudioFileUnsupportedPropertyError)
      }
      return value
    }
  }

  /// True if a property can be set.
  func canSet(_ property: AudioFilePropertyID, _ content: any AudioFileContent) -> Bool {
    guard permissions != .readPermission else { return false }
    return content.isWritable(property) || isCreated && Self.describing.contains(property)
  }

  private static let describing: Set<AudioFilePropertyID> = [
    kAudioFilePropertyInfoDictionary, kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList,
  ]

  /// Sets a property.
  func set(
    _ property: AudioFilePropertyID, _ source: PropertySource, _ content: any AudioFileContent
  ) throws(StatusError) {
    guard Self.describing.contains(property) else { return try content.set(property, source) }
    guard isCreated else { throw StatusError(kAudioFileOperationNotSupportedError) }
    switch property {
    case kAudioFilePropertyInfoDictionary:
      try AudioFileDictionary.read(source, into: &metadata)
    case kAudioFilePropertyMarkerList: metadata.markers = try AudioFileMarkers.markers(source)
    default: metadata.allRegions = try AudioFileMarkers.regions(source)
    }
  }
}

extension AudioFileContent {
  /// The value of a property that the sound has; nil for another one.
  fileprivate func value(of property: AudioFilePropertyID) -> AudioFileValue? {
    switch property {
    case kAudioFilePropertyFileFormat: AudioFileValue(type)
    case kAudioFilePropertyDataFormat: AudioFileValue(format)
    case kAudioFilePropertyFormatList: AudioFileValue(list: formatList)
    case kAudioFilePropertyIsOptimized: AudioFileValue(UInt32(1))
    case kAudioFilePropertyMagicCookieData: cookie.isEmpty ? nil : .whole(cookie)
    case kAudioFilePropertyAudioDataByteCount: AudioFileValue(UInt64(byteCount))
    case kAudioFilePropertyAudioDataPacketCount: AudioFileValue(UInt64(packetCount))
    case kAudioFilePropertyMaximumPacketSize, kAudioFilePropertyPacketSizeUpperBound:
      AudioFileValue(UInt32(clamping: maximumPacketSize))
    case kAudioFilePropertyDataOffset: AudioFileValue(dataOffset)
    case kAudioFilePropertyChannelLayout: .whole(ChannelLabels(layout).bytes)
    case kAudioFilePropertyDeferSizeUpdates:
      AudioFileValue(UInt32((self as? SampleContent)?.defersSizes == true ? 1 : 0))
    case kAudioFilePropertyPacketTableInfo: packetTable.map { AudioFileValue($0) }
    case kAudioFilePropertyEstimatedDuration: AudioFileValue(seconds)
    case kAudioFilePropertyBitRate: AudioFileValue(bitRate: bitRate)
    case kAudioFilePropertyRestrictsRandomAccess: AudioFileValue(UInt32(0))
    case kAudioFilePropertySourceBitDepth: bitDepth.map { AudioFileValue($0) }
    case kAudioFilePropertyAudioTrackCount: AudioFileValue(UInt32(1))
    default: nil
    }
  }

  /// Seconds of sound.
  var seconds: Double { hertz > 0 ? Double(validFrameCount) / Double(hertz) : 0 }

  private var formatList: [AudioFormatListItem] {
    formats.map { format in
      let count = Int(format.mChannelsPerFrame)
      let own = layout.roles.count == count ? layout : .usual(channelCount: count)
      return AudioFormatListItem(
        mASBD: format,
        mChannelLayoutTag: ChannelLabels(own).tag
          ?? kAudioChannelLayoutTag_Unknown | format.mChannelsPerFrame)
    }
  }

  /// The bits of a sample, less than 0 for floating point; nil if the format does not state them.
  private var bitDepth: Int32? {
    if let bits = format.losslessBits, format.mFormatID != kAudioFormatLinearPCM {
      return Int32(bits)
    }
    guard format.mFormatID == kAudioFormatLinearPCM else { return nil }
    let bits = Int32(format.mBitsPerChannel)
    return format.mFormatFlags & kAudioFormatFlagIsFloat == 0 ? bits : -bits
  }
}
