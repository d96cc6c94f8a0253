// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

extension ExtFileObject {
  private static let writable: Set<ExtAudioFilePropertyID> = [
    kExtAudioFileProperty_ClientDataFormat, kExtAudioFileProperty_ClientChannelLayout,
    kExtAudioFileProperty_FileChannelLayout, kExtAudioFileProperty_CodecManufacturer,
    kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBufferSizeBytes,
    kExtAudioFileProperty_PacketTable,
  ]

  /// The size of a property's value and if it can be set.
  ///
  /// - Throws: `kExtAudioFileError_InvalidProperty`.
  func info(of id: ExtAudioFilePropertyID) throws(StatusError) -> (size: Int, isWritable: Bool) {
    let size =
      switch id {
      case kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_AudioConverter,
        kExtAudioFileProperty_AudioFile:
        MemoryLayout<UInt>.size
      default: try value(of: id).count
      }
    return (size, Self.writable.contains(id))
  }

  /// Stores the value of a property.
  ///
  /// - Throws: `kExtAudioFileError_InvalidProperty`, `kExtAudioFileError_InvalidPropertySize`.
  func get(_ id: ExtAudioFilePropertyID, _ target: PropertyTarget) throws(StatusError) {
    switch id {
    case kExtAudioFileProperty_AudioConverter:
      try target.put(unsafe UInt(bitPattern: converter?.handle.pointer))
    case kExtAudioFileProperty_AudioFile:
      try target.put(unsafe UInt(bitPattern: try audioFile()))
    default: try target.put(bytes: value(of: id))
    }
  }

  private func value(of id: ExtAudioFilePropertyID) throws(StatusError) -> [UInt8] {
    switch id {
    case kExtAudioFileProperty_FileDataFormat: return Self.bytes(fileFormat)
    case kExtAudioFileProperty_ClientDataFormat:
      return Self.bytes(form?.description ?? fileFormat)
    case kExtAudioFileProperty_FileChannelLayout: return fileLayout.bytes
    case kExtAudioFileProperty_ClientChannelLayout: return clientLayout.bytes
    case kExtAudioFileProperty_CodecManufacturer: return Self.bytes(codecManufacturer)
    case kExtAudioFileProperty_IOBufferSizeBytes: return Self.bytes(bufferSize)
    case kExtAudioFileProperty_FileMaxPacketSize:
      return Self.bytes(UInt32(clamping: largestPacket))
    case kExtAudioFileProperty_ClientMaxPacketSize:
      guard let form else { throw StatusError(kExtAudioFileError_MaxPacketSizeUnknown) }
      return Self.bytes(UInt32(form.bytesPerFrame))
    case kExtAudioFileProperty_FileLengthFrames: return Self.bytes(try length())
    case kExtAudioFileProperty_PacketTable: return Self.bytes(try table())
    default: throw StatusError(kExtAudioFileError_InvalidProperty)
    }
  }

  /// The file's `AudioFileID`.
  ///
  /// It is opened when it is needed, and closed with this file. A file that is written here does
  /// not have one.
  private func audioFile() throws(StatusError) -> OpaquePointer {
    if let fileID = unsafe fileID { return unsafe fileID }
    guard case .reading = access, let path else {
      throw StatusError(kExtAudioFileError_InvalidProperty)
    }
    let content = try FileOpening.content(path, updates: false)
    let opened = try unsafe AudioFileObject(content, .readPermission, .path(path)).publish()
    unsafe fileID = opened
    return unsafe opened
  }

  private static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  private var fileLayout: ChannelLabels {
    switch access {
    case .reading(let reading): ChannelLabels(reading.reader.layout)
    case .writing(let writing):
      writing.layout
        ?? ChannelLabels(.usual(channelCount: Int(writing.description.mChannelsPerFrame)))
    case .closed: ChannelLabels([])
    }
  }

  private var clientLayout: ChannelLabels {
    let stated =
      switch access {
      case .reading(let reading): reading.clientLayout
      case .writing(let writing): writing.clientLayout
      case .closed: ChannelLabels?.none
      }
    if let stated { return stated }
    let count = form?.channelCount ?? fileLayout.labels.count
    return count == fileLayout.labels.count
      ? fileLayout : ChannelLabels(.usual(channelCount: count))
  }

  private var largestPacket: Int {
    if case .reading(let reading) = access, let packets = reading.reader.packets() {
      return packets.table.packets.reduce(0) { max($0, $1.byteCount) }
    }
    return CodecFormats.largestPacket(fileFormat)
  }

  /// Frames of the file, at its own rate.
  private func length() throws(StatusError) -> Int64 {
    switch access {
    case .reading(let reading):
      guard reading.reader.frameCount < .max else { break }
      return Int64(reading.reader.frameCount)
    case .writing(let writing): return Int64(writing.frameCount)
    case .closed: break
    }
    throw StatusError(kExtAudioFileError_InvalidProperty)
  }

  private func table() throws(StatusError) -> AudioFilePacketTableInfo {
    if let packetTable { return packetTable }
    guard case .reading(let reading) = access, let packets = reading.reader.packets() else {
      throw StatusError(kExtAudioFileError_InvalidProperty)
    }
    return AudioFilePacketTableInfo(packets.table)
  }

  /// Sets a property.
  ///
  /// - Throws: `kExtAudioFileError_InvalidProperty`, `kExtAudioFileError_InvalidPropertySize`, or a
  ///   code for an impossible value.
  func set(_ id: ExtAudioFilePropertyID, _ value: PropertySource) throws(StatusError) {
    switch id {
    case kExtAudioFileProperty_ClientDataFormat: try setClientFormat(try value.value())
    case kExtAudioFileProperty_ClientChannelLayout: try setClientLayout(try value.channels())
    case kExtAudioFileProperty_FileChannelLayout: try setFileLayout(try value.channels())
    case kExtAudioFileProperty_CodecManufacturer: codecManufacturer = try value.value()
    case kExtAudioFileProperty_IOBufferSizeBytes: bufferSize = try value.value()
    case kExtAudioFileProperty_ConverterConfig:
      // A property list cannot be used; nil means that the converter's properties have changed.
      guard value.count == 0 || value.count == MemoryLayout<UInt>.size else {
        throw StatusError(kExtAudioFileError_InvalidPropertySize)
      }
      try applySettings()
    case kExtAudioFileProperty_PacketTable:
      let table: AudioFilePacketTableInfo = try value.value()
      packetTable = table
    default: throw StatusError(kExtAudioFileError_InvalidProperty)
    }
  }

  private func setClientLayout(_ labels: ChannelLabels) throws(StatusError) {
    guard labels.labels.count == form?.channelCount ?? labels.labels.count else {
      throw StatusError(kExtAudioFileError_InvalidChannelMap)
    }
    switch access {
    case .reading(let reading): reading.setLayout(labels)
    case .writing(let writing): writing.clientLayout = labels
    case .closed: throw .parameter
    }
  }

  private func setFileLayout(_ labels: ChannelLabels) throws(StatusError) {
    guard case .writing(let writing) = access, !writing.hasBegun else {
      throw StatusError(kExtAudioFileError_InvalidOperationOrder)
    }
    guard labels.labels.count == Int(writing.description.mChannelsPerFrame) else {
      throw StatusError(kExtAudioFileError_InvalidChannelMap)
    }
    writing.layout = labels
  }
}
