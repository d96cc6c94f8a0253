// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// A property that translates between packets, frames and bytes.
enum AudioFileTranslation {
  case packetToFrame, frameToPacket, packetToByte, byteToPacket, packetRange

  /// The translation of a property; nil for another one.
  init?(_ property: AudioFilePropertyID) {
    switch property {
    case kAudioFilePropertyPacketToFrame: self = .packetToFrame
    case kAudioFilePropertyFrameToPacket: self = .frameToPacket
    case kAudioFilePropertyPacketToByte: self = .packetToByte
    case kAudioFilePropertyByteToPacket: self = .byteToPacket
    case kAudioFilePropertyPacketRangeByteCountUpperBound: self = .packetRange
    default: return nil
    }
  }

  /// The size of the struct in bytes.
  var byteCount: Int {
    switch self {
    case .packetToFrame, .frameToPacket: MemoryLayout<AudioFramePacketTranslation>.size
    case .packetToByte, .byteToPacket: MemoryLayout<AudioBytePacketTranslation>.size
    case .packetRange: MemoryLayout<AudioPacketRangeByteCountTranslation>.size
    }
  }

  /// Reads a struct, and stores its translation.
  ///
  /// - Throws: the code for a wrong size; `kAudioFileInvalidPacketOffsetError` or
  ///   `kAudioFilePositionError` for a packet, frame or byte that does not exist.
  func translate(
    _ source: PropertySource, _ target: PropertyTarget, _ content: any AudioFileContent
  ) throws(StatusError) {
    switch self {
    case .packetToFrame:
      var value = try source.value(as: AudioFramePacketTranslation.self)
      value.mFrame = try packet(value.mPacket, content).frame
      try target.put(value)
    case .frameToPacket:
      var value = try source.value(as: AudioFramePacketTranslation.self)
      value.mPacket = try number(content.packet(ofFrame: value.mFrame))
      let first = try packet(value.mPacket, content).frame
      value.mFrameOffsetInPacket = UInt32(clamping: value.mFrame - first)
      try target.put(value)
    case .packetToByte:
      var value = try source.value(as: AudioBytePacketTranslation.self)
      value.mByte = try packet(value.mPacket, content).byte
      (value.mByteOffsetInPacket, value.mFlags) = (0, [])
      try target.put(value)
    case .byteToPacket:
      var value = try source.value(as: AudioBytePacketTranslation.self)
      value.mPacket = try number(content.packet(ofByte: value.mByte))
      let first = try packet(value.mPacket, content).byte
      (value.mByteOffsetInPacket, value.mFlags) = (UInt32(clamping: value.mByte - first), [])
      try target.put(value)
    case .packetRange: try target.put(range(try source.value(), content))
    }
  }

  private func packet(
    _ number: Int64, _ content: any AudioFileContent
  ) throws(StatusError) -> AudioFilePacket {
    guard let packet = content.packet(number) else {
      throw StatusError(kAudioFileInvalidPacketOffsetError)
    }
    return packet
  }

  private func number(_ packet: Int64?) throws(StatusError) -> Int64 {
    guard let packet else { throw StatusError(kAudioFilePositionError) }
    return packet
  }

  private func range(
    _ given: AudioPacketRangeByteCountTranslation, _ content: any AudioFileContent
  ) throws(StatusError) -> AudioPacketRangeByteCountTranslation {
    var value = given
    guard value.mPacketCount >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
    let first = try packet(value.mPacket, content)
    let (end, overflows) = value.mPacket.addingReportingOverflow(value.mPacketCount)
    let last = overflows ? nil : content.packet(end)
    value.mByteCountUpperBound = (last?.byte ?? content.byteCount) - first.byte
    return value
  }
}
