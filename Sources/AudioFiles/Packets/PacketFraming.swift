// SPDX-License-Identifier: Apache-2.0

/// How packets follow one another without a container: by headers that say how long each is.
protocol PacketFraming: Sendable {
  /// The bytes of a header.
  static var headerByteCount: Int { get }
  /// Finds a header that may belong to this stream; nil where there is none.
  func packet(at bytes: ArraySlice<UInt8>) -> FramedPacket?
  /// Finds a header and takes what follows for the same stream; nil where there is none.
  static func beginning(at bytes: ArraySlice<UInt8>) -> (any PacketFraming)?
}

/// What a header says of its packet.
struct FramedPacket: Hashable {
  /// The bytes with the header.
  let byteCount: Int
  /// The bytes of the header where a decoder does not want it, else 0.
  let headerByteCount: Int
  let frameCount: Int
  let hertz: Int
}

/// AAC behind headers.
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

/// MPEG-1 and 2 audio.
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
