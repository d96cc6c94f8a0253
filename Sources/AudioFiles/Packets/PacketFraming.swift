// SPDX-License-Identifier: Apache-2.0

/// Finds packets in a stream without a container, by headers that state the size of each packet.
protocol PacketFraming: Sendable {
  /// The number of bytes of a header.
  static var headerByteCount: Int { get }
  /// Reads a header of this stream; nil for other bytes.
  func packet(at bytes: ArraySlice<UInt8>) -> FramedPacket?
  /// Reads the first header of a stream; nil for other bytes.
  static func beginning(at bytes: ArraySlice<UInt8>) -> (any PacketFraming)?
}

/// The properties of a packet that its header states.
struct FramedPacket: Hashable {
  /// The number of bytes, including the header.
  let byteCount: Int
  /// The bytes of a header that the decoder does not need; 0 if it needs the header.
  let headerByteCount: Int
  let frameCount: Int
  let hertz: Int
}

/// AAC packets with ADTS headers.
struct ADTSFraming: PacketFraming {
  static let headerByteCount = ADTSHeader.byteCount
  let first: ADTSHeader

  static func beginning(at bytes: ArraySlice<UInt8>) -> (any PacketFraming)? {
    ADTSHeader(bytes).map(ADTSFraming.init)
  }

  func packet(at bytes: ArraySlice<UInt8>) -> FramedPacket? {
    guard let header = ADTSHeader(bytes), header.continues(first) else { return nil }
    return FramedPacket(
      byteCount: header.packetByteCount, headerByteCount: header.headerByteCount,
      frameCount: header.frameCount, hertz: header.hertz)
  }
}

/// MPEG-1 and MPEG-2 audio.
struct MPEGAudioFraming: PacketFraming {
  static let headerByteCount = MPEGAudioHeader.byteCount
  let first: MPEGAudioHeader

  static func beginning(at bytes: ArraySlice<UInt8>) -> (any PacketFraming)? {
    MPEGAudioHeader(bytes).map(MPEGAudioFraming.init)
  }

  func packet(at bytes: ArraySlice<UInt8>) -> FramedPacket? {
    guard let header = MPEGAudioHeader(bytes), header.continues(first) else { return nil }
    return FramedPacket(
      byteCount: header.packetByteCount, headerByteCount: 0, frameCount: header.frameCount,
      hertz: header.hertz)
  }
}
